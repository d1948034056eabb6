// A server on which much goes wrong at once: what fails publishes nothing and vanishes nothing, the rest is published, and
// the next sync asks for what is missing only. Each fault by itself: torture.
import { expect, test } from 'vitest';
import { committed } from '../support/awkward-committed.ts';
import { useScenes } from '../support/awkward-scene.ts';
import type { Asked, Fault } from '../support/awkward-server.ts';
import { differences, type SliceTruth, truthOf } from '../support/awkward-truth.ts';
import { clientIds } from '../support/awkward-world.ts';

const newScene = useScenes();
const limits = { maxAttempts: 2 };
const first = '2025-03-01';
const second = '2025-03-02';
const html = '<html><body>Bad gateway</body></html>';

/** Faults that stay, by stream. */
const lasting: Readonly<Record<string, (asked: Asked) => Fault | undefined>> = {
  citas: ({ cursor }) => (cursor === '' ? undefined : { kind: 'status', status: 500 }),
  actions: () => ({ kind: 'body', body: html, type: 'text/html' }),
  sources: () => ({ kind: 'truncated' }),
  demand: () => ({ kind: 'status', status: 429, body: '{"error":"quota","mensaje":"Tope diario"}' }),
  // Not there, in the one way or the other.
  fanouts: () => ({ kind: 'status', status: 404, body: html }),
  citations: () => ({ kind: 'status', status: 403 }),
};

/** Its list was always empty. */
const neverHadRecords = 'fanouts';

/** Faults of the first try for the first page only. */
const passing: Readonly<Record<string, Fault>> = {
  respuestas: { kind: 'status', status: 503, body: html },
  optimizer: { kind: 'reset' },
  'airank/history': { kind: 'body', body: '' },
};

function faults(asked: Asked): Fault | undefined {
  if (asked.route === 'visibility' && asked.clientId === 'acme') return { kind: 'status', status: 404 };
  const isFirst = asked.cursor === '' && asked.times === 1;
  return lasting[asked.route]?.(asked) ?? (isFirst ? passing[asked.route] : undefined);
}

function broken({ stream, clientId }: Pick<SliceTruth, 'stream' | 'clientId'>): boolean {
  return stream in lasting || (stream === 'visibility' && clientId === 'acme');
}

test('failed slices keep the state of the day before, the others are published, and a later sync does the rest', async () => {
  const { server, database, place } = await newScene({ limits });
  expect(await place.run(['sync', '--run-date', first])).toMatchObject({ code: 0 });

  server.day = 2;
  // The first try of the second day is meant.
  const nameOf = ({ route, clientId, cursor }: Asked) => JSON.stringify([route, clientId, cursor]);
  const firstDay = new Map<string, number>();
  for (const one of server.asked) firstDay.set(nameOf(one), (firstDay.get(nameOf(one)) ?? 0) + 1);
  server.fault = (asked) => faults({ ...asked, times: asked.times - (firstDay.get(nameOf(asked)) ?? 0) });
  const failed = await place.run(['sync', '--run-date', second, '--json']);
  expect(failed.code, failed.stderr).toBe(1);
  expect(failed.stderr).not.toMatch(/^\s+at /m);
  expect(failed.stdout + failed.stderr).not.toContain(server.key);
  const mixed = [...truthOf(2).filter((slice) => !broken(slice)), ...truthOf(1).filter(broken)];
  expect(await differences(database.pool, mixed)).toEqual([]);
  const { rows } = await database.pool.query<{ name: string; status: string; error: string }>(
    `select concat(stream, ' ', client_id) as name, status, error from sync.slice where run_date = $1 and status <> 'complete'`,
    [second],
  );
  // The refused streams had data the day before, so three run dates have to say that it is gone.
  const expected = Object.keys(lasting).map((name) => [
    `${name} `,
    name === neverHadRecords ? 'unavailable' : 'failed',
  ]);
  expect(Object.fromEntries(rows.map(({ name, status }) => [name, status]))).toEqual(
    Object.fromEntries([...expected, ['visibility acme', 'failed']]),
  );
  expect(rows.filter(({ error }) => error === null || error === '')).toEqual([]);
  const account = { slices: { failed: 6, unavailable: 1 }, ended: null };
  expect(JSON.parse(failed.stdout)).toMatchObject({ exit_code: 1, status: 'failed', accounts: [account] });

  server.fault = undefined;
  const isCommitted = await committed(database.pool, second);
  const asked = server.asked.length;
  const fixed = await place.run(['sync', '--run-date', second]);
  expect(fixed, fixed.stderr).toMatchObject({ code: 0 });
  const later = server.asked.slice(asked);
  expect(later.filter(isCommitted)).toEqual([]);
  expect(new Set(later.map(({ route }) => route))).toEqual(new Set([...Object.keys(lasting), 'visibility']));
  expect(await differences(database.pool, truthOf(2))).toEqual([]);
});

const some = ['clientes', 'airank', 'visibility', 'products', 'prompts', 'prediccion'];
const onlySome = ['sync', '--run-date', first, '--streams', some.join()];

const refused = { kind: 'status', status: 403 } as const;

test.each<[string, readonly string[], Fault]>([
  ['whose clients are refused', ['clientes'], refused],
  ['whose list of clients is empty', ['clientes'], { kind: 'body', body: '{"clientes":[],"paginacion":{}}' }],
  ['without the streams that are walked first', ['clientes', 'airank', 'visibility'], refused],
])('an account %s is walked for itself', async (_, without, fault) => {
  const { server, database, place } = await newScene({ limits });
  server.fault = ({ route }) => (without.includes(route) ? fault : undefined);
  const ended = await place.run(onlySome);
  expect(ended, ended.stderr + ended.stdout).toMatchObject({ code: 0 });
  const truth = truthOf(1, []).filter(({ stream }) => some.includes(stream) && !without.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

test('clients listed twice, or without an identifier, do not hide the others', async () => {
  const { server, database, place } = await newScene({ limits });
  const listed = [...clientIds.map(({ id }) => ({ id })), { id: 'acme' }, { nombre: 'sin id' }, { id: null }];
  server.fault = ({ route }) =>
    route === 'clientes' ? { kind: 'body', body: JSON.stringify({ clientes: listed }) } : undefined;
  const ended = await place.run(onlySome);
  // Told, because two clients cannot be walked.
  expect(ended.code).toBe(1);
  const truth = truthOf(1).filter(({ stream }) => some.includes(stream) && stream !== 'clientes');
  const clients: SliceTruth = {
    stream: 'clientes',
    clientId: '',
    records: listed.map((client) => ({ sent: '', stored: JSON.stringify(client), replaced: 0 })),
    envelope: undefined,
    replaced: 0,
  };
  expect(await differences(database.pool, [...truth, clients])).toEqual([]);
});
