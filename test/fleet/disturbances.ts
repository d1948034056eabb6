// What may happen to a fleet while it works.
import { asked, type Disturbance, kill } from './history.ts';

const scheduler = ['schedule'];

export const undisturbed: Disturbance = {
  name: 'nothing happens',
  deaths: 0,
  run: async ({ fleet }) => {
    fleet.start('leader', scheduler);
  },
};

export const schedulerDies: Disturbance = {
  name: 'the scheduler is killed twice, and another stands by',
  deaths: 2,
  run: async (world) => {
    const { fleet, server, random, usual } = world;
    let standby = fleet.start('first', scheduler);
    for (const name of ['second', 'third']) {
      const working = standby;
      await asked(world, server.asked.length + 1);
      standby = fleet.start(name, scheduler);
      await asked(world, server.asked.length + Math.floor((random() * usual) / 2));
      await kill(working);
    }
  },
};
