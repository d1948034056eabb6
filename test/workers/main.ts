// test/workers/main.ts [--seeds N --seed FIRST --kills N --restarts N --only PATTERN]: scheduler and workers while they are
// killed, frozen and cut off, each history compared with an undisturbed one; then while Postgres restarts under them, N
// times in each history; then many deaths in a simulation. --only also fits `restarts schedule`, `restarts worker` and
// `simulation`.
import { parseArgs } from 'node:util';
import { type RestartablePostgres, startRestartablePostgres } from '../support/restartable-postgres.ts';
import { startTestServer } from '../support/test-server.ts';
import { type Copies, createCopies } from '../torture/copies.ts';
import { randomOf, shuffled } from '../torture/random.ts';
import { disturbances as all, undisturbed } from './disturbances.ts';
import { type Disturbance, type History, liveThrough } from './history.ts';
import { type Outage, outages } from './restarts.ts';
import { simulateDeaths } from './simulation/many-deaths.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '1000' },
    restarts: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const out = (line: string) => process.stdout.write(`${line}\n`);
const progress = (line: string) => process.stderr.write(`${line}\n`);

const keys = Array.from({ length: 6 }, (_, index) => `key-${index + 1}`);
const streams = ['clientes', 'sources', 'prompts', 'respuestas', 'products', 'visibility_history', 'citas'];
const firstSeed = Number(values.seed);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => firstSeed + index);
const only = new RegExp(values.only, 'i');
const disturbances = all.filter(({ name }) => only.test(name));
const restarted = (['schedule', 'worker'] as const).filter((command) => only.test(`restarts ${command}`));
const kinds = ['fast', 'immediate', 'killed', 'cut', 'away'] as const;

const server = await startTestServer(progress);
const copies = await createCopies(server.adminUrl);

const tell = (what: string, wrong: readonly string[]) => {
  out(`${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${what}`);
  for (const line of wrong.slice(0, 20)) out(`    ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
};

const live = async (
  copies: Copies,
  disturbance: Disturbance,
  seed: number,
  expected?: History,
): Promise<History> => {
  const copy = await copies.clone(copies.empty);
  await copy.rest();
  const history = await liveThrough(disturbance, { seed, databaseUrl: copy.url, keys, streams, expected });
  await copy.drop();
  const { requests, takenOver, tookMs, wrong } = history;
  tell(
    `seed ${seed}: ${disturbance.name} (${requests} requests, ${takenOver} runs taken over, ${tookMs} ms)`,
    wrong,
  );
  return history;
};

/** Each kind as often as any other, in an order of the seed's. */
function someOutages(seed: number): readonly Outage[] {
  const random = randomOf(seed);
  return shuffled(
    Array.from({ length: Number(values.restarts) }, (_, index) => kinds[index % kinds.length] ?? 'fast'),
    random,
  );
}

async function restart(postgres: RestartablePostgres, expected: History): Promise<void> {
  const own = await createCopies(postgres.url);
  try {
    for (const command of restarted) {
      for (const seed of seeds)
        await live(own, outages(postgres, command, someOutages(seed)), seed, expected);
    }
  } finally {
    await own.dropAll();
  }
}

try {
  if (disturbances.length > 0 || restarted.length > 0) {
    const expected = await live(copies, undisturbed, 0);
    for (const disturbance of disturbances)
      for (const seed of seeds) await live(copies, disturbance, seed, expected);
    if (restarted.length > 0) {
      const postgres = await startRestartablePostgres();
      await restart(postgres, expected).finally(() => postgres.close());
    }
  }
  if (only.test('simulation')) {
    const options = { seed: firstSeed, kills: Number(values.kills) };
    const { kills, steps, histories, wrong } = await simulateDeaths(copies, options, progress);
    tell(`simulation: ${kills} deaths in ${histories} histories, ${steps} steps`, wrong);
  }
} finally {
  await copies.dropAll();
  await server.stop();
}
