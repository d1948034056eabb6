// Logs pushed to a service that misbehaves in every way that its answers allow: what the books say of each upload is so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobody, unlimited } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { type HostileWrites, startHostileWrites, type WriteFault } from '../support/hostile-writes.ts';
import { noteNumberedLines } from '../support/numbered-lines.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { randomOf, shuffled } from '../torture/random.ts';
import { judgePush, type Received } from '../writes/judge-push.ts';
import { createLogFolder } from '../writes/log-folder.ts';
import { withoutWriteLimits } from '../writes/slow-book.ts';

const faults: readonly WriteFault[] = [
  { takes: true, status: 500 },
  { status: 503 },
  { takes: true, ends: 'reset' },
  { reads: 'head', ends: 'reset' },
  { ends: 'half head' },
  { ends: 'half body' },
  { takes: true, ends: 'silence' },
  { status: 303, takes: true },
  { status: 307, headers: { location: '/' } },
  { status: 200, takes: false, body: '<html>Log in</html>' },
  { status: 202, body: '' },
  { status: 400 },
  { status: 403 },
  { status: 408 },
  { reads: 'head', status: 413 },
  { status: 429, body: '{"error":"rate_limited","retryAfter":1}' },
  { interim: 'HTTP/1.1 100 Continue' },
];

const database = useDatabase();
let service: HostileWrites;
const folder = oneFolder();

beforeAll(async () => {
  const inTurn = shuffled([...faults, ...faults, ...[...faults, ...faults].map(() => ({}))], randomOf(3));
  service = await startHostileWrites((number) => inTurn[number - 1] ?? {});
  await withoutWriteLimits(database.pool);
});
afterAll(async () => {
  await service?.close();
});

async function push(paths: readonly string[]) {
  return await airank(['push', 'logs', ...paths, '--json'], {
    cwd: folder,
    limits: { bodyTimeoutMs: 500 },
    env: { DATABASE_URL: database.url, ...nobody, ...unlimited, AIRANK_BASE_URL: service.url },
  });
}

function received(): Received {
  const { received: note, has, repeated } = noteNumberedLines();
  note(service.taken);
  return { has, lines: service.taken.length, repeated };
}

test('no answer makes a line come twice, or be lost without a word', async () => {
  const sites = Array.from({ length: 70 }, (_, index) => `site-${index}`);
  const logs = createLogFolder(folder, sites, Date.now(), randomOf(4));
  for (const site of sites) await logs.grow(site, 12);
  let said = await push(logs.paths());
  for (let pushes = 1; pushes < 60 && said.exitCode !== 0; pushes += 1) {
    const waits = await database.pool.query(`select from sync.write where status in ('planned', 'sending')`);
    if (service.requests() > 4 * faults.length && waits.rowCount === 0) break;
    said = await push(logs.paths());
  }
  const judged = await judgePush(database.pool, received(), logs.logs);
  expect(judged.wrong).toEqual([]);
  const named = (id: number) => new RegExp(`\\b${id}\\b`).test(said.stdout);
  expect([...judged.unknown, ...judged.refused].filter((id) => !named(id))).toEqual([]);
  expect(judged.unknown.length).toBeGreaterThan(faults.length);
  expect(judged.unknownArrived).toBeGreaterThan(2);
  expect(judged.unknownArrived).toBeLessThan(judged.unknown.length);
  expect(judged.refused.length).toBeGreaterThan(0);
});
