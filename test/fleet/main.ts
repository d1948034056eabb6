// npm run fleet [-- --seeds N --seed FIRST --only PATTERN]: a fleet of real processes while they are killed, frozen and
// cut off, by seeds, each history compared with an undisturbed one.
import { parseArgs } from 'node:util';
import { startTestServer } from '../support/test-server.ts';
import { createCopies } from '../torture/copies.ts';
import { schedulerDies, undisturbed } from './disturbances.ts';
import { type History, liveThrough } from './history.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const out = (line: string) => process.stdout.write(`${line}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

const keys = Array.from({ length: 6 }, (_, index) => `key-${index + 1}`);
const streams = ['clientes', 'sources', 'prompts', 'respuestas', 'products', 'visibility_history', 'citas'];
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.seed) + index);
const only = new RegExp(values.only, 'i');

const server = await startTestServer(progress);
const copies = await createCopies(server.adminUrl);
try {
  const live = async (disturbance: typeof undisturbed, seed: number, expected?: History) => {
    const copy = await copies.clone(copies.empty);
    await copy.rest();
    const history = await liveThrough(disturbance, { seed, databaseUrl: copy.url, keys, streams, expected });
    await copy.drop();
    const { wrong, requests, tookMs } = history;
    out(
      `${wrong.length === 0 ? 'ok   ' : 'WRONG'} seed ${seed}: ${disturbance.name} (${requests} requests, ${tookMs} ms)`,
    );
    for (const line of wrong.slice(0, 20)) out(`    ${line}`);
    if (wrong.length > 0) process.exitCode = 1;
    return history;
  };
  const expected = await live(undisturbed, 0);
  for (const disturbance of [schedulerDies].filter(({ name }) => only.test(name))) {
    for (const seed of seeds) await live(disturbance, seed, expected);
  }
} finally {
  await copies.dropAll();
  await server.stop();
}
