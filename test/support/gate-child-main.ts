// A process that asks a server as fast as its gate allows: <database url> <server url> <per minute> <per day>.
// Prints `day` when the day's requests are used up, and ends.
import { createGate } from '../../src/api/gate/gate.ts';
import { systemClock } from '../../src/core/clock.ts';
import { BudgetExhaustedError } from '../../src/core/errors.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { createLedger } from '../../src/store/budget/ledger.ts';

const [databaseUrl = '', serverUrl = '', perMinute = '', perDay = ''] = process.argv.slice(2);
const account = 'shared';
const pool = createPool({ connectionString: databaseUrl, max: 4, applicationName: 'gate-child' });
const gate = createGate({
  account,
  ledger: createLedger(createDatabase(pool), {
    limits: new Map([[account, { perDay: Number(perDay), reservePercent: 0 }]]),
    dayRenewsAtMinutes: 0,
    learnDayRenewal: false,
    sendWithinMs: 10_000,
  }),
  clock: systemClock,
  perMinute: Number(perMinute),
  concurrency: 4,
});
const { signal } = new AbortController();

const work = async (): Promise<void> => {
  for (;;) {
    await gate.run({ stream: 'airank', purpose: 'job', priority: 5, signal }, async () => ({
      result: await (await fetch(serverUrl)).text(),
    }));
  }
};
const ends = await Promise.allSettled([work(), work(), work(), work()]);
const isDay = ends.every((end) => end.status === 'rejected' && end.reason instanceof BudgetExhaustedError);
process.stdout.write(
  isDay ? 'day\n' : `${JSON.stringify(ends.map((end) => String('reason' in end && end.reason)))}\n`,
);
await pool.end();
