// npm run kills:writes [-- --kills N --seed FIRST --histories N]: pushes of logs that are killed at every step. Lines that
// the service received = lines accepted + lines of unknown uploads that did arrive; none twice, none lost.
import { parseArgs } from 'node:util';
import { buildIfOlder } from '../support/built-program.ts';
import { startTestServer } from '../support/test-server.ts';
import { createCopies } from '../torture/copies.ts';
import { liveThroughKills } from './kill-history.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '4' },
  },
});
const out = (line: string) => process.stdout.write(`${line}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);
const histories = Number(values.histories);

await buildIfOlder();
const server = await startTestServer(progress);
const copies = await createCopies(server.adminUrl);
try {
  for (let history = 0; history < histories; history += 1) {
    const seed = Number(values.seed) + history;
    const form = history % 2 === 0 ? 'text' : 'json';
    // Half of the histories have a service that fails and refuses too.
    const more = history % 4 < 2 ? {} : { faults: { errorRate: 0.03, dropRate: 0.03 }, uploadsPerSecond: 20 };
    const copy = await copies.clone(copies.empty);
    const options = { databaseUrl: copy.url, pool: copy.pool, seed, form, ...more } as const;
    const kills = Math.ceil(Number(values.kills) / histories);
    const lived = await liveThroughKills({ ...options, kills, onKill: (told) => progress(`  ${told}`) });
    await copy.drop();
    const { wrong, moments, unknown, linesRead, linesAccepted, linesReceived, tookMs } = lived;
    const when = Object.entries(moments).map(([moment, count]) => `${count} ${moment}`);
    out(
      `${wrong.length === 0 ? 'ok   ' : 'WRONG'} seed ${seed}, ${form}: ${kills} kills (${when.join(', ')})`,
    );
    out(
      `      ${linesRead} lines read, ${linesReceived} received = ${linesAccepted} accepted + ${lived.unknownLinesArrived} of ${unknown.length} unknown uploads, of which ${lived.unknownArrived} arrived; ${lived.requests} requests, ${tookMs} ms`,
    );
    for (const line of wrong.slice(0, 20)) out(`      ${line}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  await copies.dropAll();
  await server.stop();
}
