// The machine's clock is set back, and forth, in the middle of a run; the database keeps its own time. A run that finds
// itself on another day publishes nothing more; once the clock is right the next one completes the date.
import type { Clock } from '../../../src/core/clock.ts';
import { createDatabase } from '../../../src/db/database.ts';
import { createLedger } from '../../../src/store/budget/ledger.ts';
import type { Copies } from '../copies.ts';
import { startHostileServer } from '../hostile-server.ts';
import { look, same, sorted } from '../look.ts';
import { runOnce } from '../run-sync.ts';
import { dateOf } from '../world.ts';

const streams = ['sources', 'prediccion', 'respuestas', 'competitors', 'agent_runs', 'agent_run_traces'];
const hourMs = 3_600_000;
/** By the number of the day's request. */
const jumps = new Map([
  [3, -2 * hourMs],
  [7, -72 * hourMs],
  [12, 100 * hourMs],
  [16, -26 * hourMs],
]);

export async function setClockBack(copies: Copies): Promise<string[]> {
  const server = await startHostileServer();
  const copy = await copies.clone(copies.empty);
  let aheadMs = 0;
  const clock: Clock = {
    now: () => Date.now() + aheadMs,
    sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 20))),
  };
  const perDay = 1_000_000;
  const ledger = createLedger(createDatabase(copy.pool), {
    limits: new Map([['default', { perMinute: perDay, perDay, reservePercent: 5 }]]),
    dayRenewsAtMinutes: 0,
    learnDayRenewal: false,
    sendWithinMs: 1_000,
  });
  const wrong: string[] = [];
  const lookAtAll = (day: number) =>
    Promise.all(
      streams.map(async (stream) => {
        const shown = await look(copy.pool, stream, '', dateOf(day));
        return { stream, shown, isTrue: same(shown.records, sorted(server.truth(stream, ''))) };
      }),
    );
  try {
    for (const day of [1, 2, 3]) {
      server.day = day;
      const from = server.log.length;
      server.heard = (count) => {
        aheadMs += jumps.get(count - from) ?? 0;
      };
      const life = { clock, ledger, perDay, nextDay: () => undefined };
      const sync = () => runOnce({ pool: copy.pool, url: server.url, runDate: dateOf(day), streams, life });
      const disturbed = await sync();
      if (disturbed.exit_code > 1) wrong.push(`day ${day}: exit ${disturbed.exit_code}`);
      for (const { stream, shown, isTrue } of await lookAtAll(day))
        if (shown.status === 'complete' && !isTrue)
          wrong.push(
            `day ${day}: ${stream} is complete with ${shown.records.length} records that are not the truth`,
          );
      server.heard = () => undefined;
      aheadMs = 0;
      const ended = await sync();
      if (ended.exit_code !== 0)
        wrong.push(
          `day ${day}, the clock right: exit ${ended.exit_code} ${JSON.stringify(ended.failures).slice(0, 200)}`,
        );
      for (const { stream, shown, isTrue } of await lookAtAll(day))
        if (shown.status !== 'complete' || !isTrue)
          wrong.push(`day ${day}: ${stream} is ${shown.status} with ${shown.records.length} records`);
    }
  } finally {
    await server.close();
    await copy.drop();
  }
  return wrong;
}
