import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLanes } from '../../src/sync/run/lanes.ts';

/** Something that another part of the test ends. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('lanes', () => {
  it('begin the next walk as soon as one slice publishes, and publish two at a time', async () => {
    const lanes = createLanes(1);
    const log: string[] = [];
    const publishing = gate();
    for (const name of ['a', 'b', 'c', 'd']) {
      lanes.enter(async (inTurn) => {
        log.push(`walk ${name}`);
        await inTurn(async () => {
          log.push(`publish ${name}`);
          await publishing.opened;
        });
        log.push(`end ${name}`);
      });
    }
    await tick();
    await tick();
    // The third waits for its turn to publish, and keeps its place until then.
    expect(log).toEqual(['walk a', 'publish a', 'walk b', 'publish b', 'walk c']);
    publishing.open();
    await lanes.onIdle();
    expect(log.filter((line) => line.startsWith('end'))).toHaveLength(4);
  });

  it('give up the place of a slice that never publishes', async () => {
    const lanes = createLanes(1);
    const walked: number[] = [];
    for (const one of [1, 2, 3]) {
      lanes.enter(async () => {
        walked.push(one);
      });
    }
    await lanes.onIdle();
    expect(walked).toEqual([1, 2, 3]);
  });

  it('hand on what publishing gave or threw', async () => {
    const lanes = createLanes(2);
    const came: unknown[] = [];
    lanes.enter(async (inTurn) => {
      came.push(await inTurn(async () => 7));
      came.push(await inTurn(() => Promise.reject(new Error('refused'))).catch((error: unknown) => error));
    });
    await lanes.onIdle();
    expect(came).toEqual([7, new Error('refused')]);
  });

  it('wait for work that has begun, and begin none after being cleared', async () => {
    const lanes = createLanes(1);
    const first = gate();
    const log: string[] = [];
    lanes.enter(async () => {
      log.push('begun');
      await first.opened;
      log.push('ended');
    });
    lanes.enter(async () => {
      log.push('never');
    });
    await tick();
    lanes.clear();
    first.open();
    await lanes.onIdle();
    expect(log).toEqual(['begun', 'ended']);
  });
});
