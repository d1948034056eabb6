// Lives through what may happen to a sync from outside, over several run dates.
import pg from 'pg';
import { pause } from './readers.ts';
import type { Station } from './station.ts';

interface Scenario {
  readonly name: string;
  /** @returns what went wrong */
  run(station: Station, world: ScenarioWorld): Promise<string[]>;
}

interface ScenarioWorld {
  readonly random: () => number;
  readonly databaseUrl: string;
  /** Stops the database server in the middle of things, and starts it again. */
  restartDatabase(): Promise<void>;
}

const days = [1, 2, 3];

async function overDays(
  station: Station,
  live: (day: number) => Promise<string | undefined>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const day of days) {
    station.server.day = day;
    const said = await live(day);
    if (said !== undefined) wrong.push(`day ${day}: ${said}`);
    const differences = await station.differences();
    wrong.push(...differences.map((difference) => `day ${day}: ${difference}`));
  }
  return wrong;
}

const killed: Scenario = {
  name: 'SIGKILL of the process',
  run: (station, { random }) =>
    overDays(station, async () => {
      for (let kills = 0; kills < 3; kills += 1) {
        const killAt = station.server.log.length + 1 + Math.floor(random() * 35);
        const delayMs = random() * 60;
        const run = station.sync();
        station.server.heard = (count) => {
          if (count === killAt) setTimeout(() => run.child.kill('SIGKILL'), delayMs);
        };
        await run.ended;
        station.server.heard = undefined;
      }
      return await station.syncToTheEnd();
    }),
};

const terminated: Scenario = {
  name: 'pg_terminate_backend',
  run: (station, { random, databaseUrl }) =>
    overDays(station, async () => {
      const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
      admin.on('error', () => undefined);
      const run = station.sync();
      let isOver = false;
      const cutting = (async () => {
        for (let cuts = 0; cuts < 6 && !isOver; cuts += 1) {
          await pause(200 + random() * 600);
          await admin
            .query(
              `select pg_terminate_backend(pid) from (
                 select pid from pg_stat_activity
                 where datname = current_database() and application_name = 'airank-warehouse'
                 order by random() limit 2) as chosen`,
            )
            .catch(() => undefined);
        }
      })();
      const ended = await run.ended;
      isOver = true;
      await cutting;
      await admin.end();
      if (ended.code === 0) return undefined;
      // A cut in its first moment may end a command; what counts is that the next one goes on.
      return await station.syncToTheEnd();
    }),
};

const restarted: Scenario = {
  name: 'restart of the database server',
  run: (station, { random, restartDatabase }) =>
    overDays(station, async () => {
      const run = station.sync();
      const at = station.server.log.length + 1 + Math.floor(random() * 25);
      let restarting: Promise<void> | undefined;
      station.server.heard = (count) => {
        if (count >= at) restarting ??= restartDatabase();
      };
      const ended = await run.ended;
      station.server.heard = undefined;
      await restarting;
      return ended.code === 0 ? undefined : await station.syncToTheEnd();
    }),
};

const twice: Scenario = {
  name: 'two syncs at once',
  run: (station) =>
    overDays(station, async () => {
      const both = await Promise.all([station.sync().ended, station.sync().ended]);
      const failed = both.find(({ code }) => code !== 0);
      return failed && `exit ${failed.code}: ${(failed.stderr + failed.stdout).slice(-300)}`;
    }),
};

const midnight: Scenario = {
  name: 'midnight between',
  run: (station, { random }) =>
    overDays(station, async (day) => {
      // The evening before: its walk is cut, and its pages are of another day.
      if (day === 1) return await station.syncToTheEnd();
      station.server.day = day - 1;
      const killAt = station.server.log.length + 3 + Math.floor(random() * 30);
      const evening = station.sync(['--again']);
      station.server.heard = (count) => {
        if (count === killAt) evening.child.kill('SIGKILL');
      };
      await evening.ended;
      station.server.heard = undefined;
      station.server.day = day;
      return await station.syncToTheEnd();
    }),
};

export const scenarios: readonly Scenario[] = [killed, terminated, restarted, twice, midnight];
