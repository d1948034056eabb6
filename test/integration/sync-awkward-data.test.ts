// Every route and client of a server that is awkward in every way the reference leaves open.
import { beforeAll, expect, test } from 'vitest';
import { type Scene, useScenes } from '../support/awkward-scene.ts';
import { differences, type SliceTruth, truthOf } from '../support/awkward-truth.ts';

const newScene = useScenes();
let server: Scene['server'];
let database: Scene['database'];
let place: Scene['place'];

beforeAll(async () => {
  ({ server, database, place } = await newScene());
});

const first = '2025-03-01';
const second = '2025-03-02';

async function sync(runDate: string, ...flags: string[]): Promise<void> {
  const ended = await place.run(['sync', '--run-date', runDate, ...flags]);
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
  expect(ended.stdout + ended.stderr).not.toContain(server.key);
  expect(server.violations).toEqual([]);
}

interface SliceRow {
  readonly stream: string;
  readonly client_id: string;
  readonly [column: string]: unknown;
}

async function slices(runDate: string): Promise<SliceRow[]> {
  const { rows } = await database.pool.query<SliceRow>(
    'select * from sync.slice where run_date = $1 order by stream collate "C", client_id collate "C"',
    [runDate],
  );
  return rows;
}

/** Reads where every version lies and which transaction wrote it. */
async function versions(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'select tableoid::regclass::text as place, ctid::text, xmin::text, xmax::text from snapshot.record order by 1, 2',
  );
  return rows;
}

function byScope(truth: readonly SliceTruth[]): SliceTruth[] {
  const name = (slice: SliceTruth) => Buffer.from(`${slice.stream}\u0000${slice.clientId}`);
  return [...truth].sort((a, b) => Buffer.compare(name(a), name(b)));
}

test('the current records of every route and client are what the server has', async () => {
  await sync(first);
  expect(await differences(database.pool, truthOf(1))).toEqual([]);
});

test('every slice is complete and counts its records, requests and replaced values', async () => {
  const rows = await slices(first);
  const found = rows.map(({ stream, client_id, status, records, replaced_values }) => {
    return { stream, clientId: client_id, status, records, replaced: replaced_values };
  });
  const expected = byScope(truthOf(1)).map(({ stream, clientId, records, replaced }) => {
    return { stream, clientId, status: 'complete', records: records.length, replaced };
  });
  expect(found).toEqual(expected);
  const requests = rows.reduce((sum, row) => sum + Number(row['requests']), 0);
  expect(requests).toBe(server.asked.length);
  const { rows: pages } = await database.pool.query('select from sync.page');
  expect(pages).toEqual([]);
});

test('a second sync of the same run date asks for nothing', async () => {
  const asked = server.asked.length;
  await sync(first);
  expect(server.asked.length).toBe(asked);
});

test('--again asks for everything again and writes no version when nothing changed', async () => {
  const before = { versions: await versions(), asked: server.asked.length };
  await sync(first, '--again');
  // Records that really repeat were walked twice the first time, to see whether pages had moved.
  const proved = server.asked.filter(({ route }) => route === 'citas').length / 3;
  expect(proved).toBe(3);
  // The page with damaged bytes was asked for twice, too.
  const damaged = 1;
  expect(server.asked.length).toBe(2 * before.asked - proved - damaged);
  expect(await versions()).toEqual(before.versions);
});

test('the next run date stores the changes and keeps the day before as it was', async () => {
  server.day = 2;
  const asked = server.asked.length;
  await sync(second);
  const traces = server.asked
    .slice(asked)
    .filter(({ route, value }) => route === 'agent/runs' && value !== '');
  // The only run that changed.
  expect(traces.map(({ value }) => value)).toEqual(['RUN']);
  expect(await differences(database.pool, truthOf(2))).toEqual([]);
  expect(await differences(database.pool, truthOf(1), { at: first })).toEqual([]);
  const well = (await slices(second)).filter(({ stream }) =>
    ['prompts', 'actions', 'mediciones', 'optimizer', 'products', 'triggers'].includes(stream),
  );
  expect(well.length).toBe(13);
  for (const slice of well) {
    expect(slice).toMatchObject({ inserted: 2, changed: 1, vanished: 1, unchanged: 5, key_conflicts: 0 });
  }
});

test('a run date older than the newest published one is refused before the first request', async () => {
  const asked = server.asked.length;
  const ended = await place.run(['sync', '--run-date', first]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(`Expected a run date of ${second} or later`);
  expect(server.asked.length).toBe(asked);
});
