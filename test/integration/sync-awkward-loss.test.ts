// Records that are missing from a list end only where walks agree about them. Clients: departures; records that slip over the
// end of a page: torture.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import type { Synced } from '../support/sync-in-process.ts';
import { eachDatabase } from '../support/test-database.ts';
import { createKeyLife, runOnce } from '../torture/run-sync.ts';

const listKeys: Readonly<Record<string, string>> = {
  sources: 'dominios',
  competitors: 'competidores',
  demand: 'prompts',
};

type Answer = (walk: number) => readonly object[];

const database = eachDatabase();
let server: LoopbackServer;
let url: string;
/** Answer of each list, by the walk of it since it was set, from 1. */
let says: Record<string, Answer>;
let walks: Map<string, number>;
let asked: string[];
let perPage: number;
let life = createKeyLife(10_000);

beforeEach(async () => {
  [says, walks, asked, perPage] = [{}, new Map(), [], 1_000];
  life = createKeyLife(10_000);
  server = await startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    const route = pathname.replace(/^\/api\/v1\//, '');
    const from = Number(searchParams.get('cursor') ?? '0');
    asked.push(route);
    if (from === 0) walks.set(route, (walks.get(route) ?? 0) + 1);
    const all = says[route]?.(walks.get(route) ?? 1);
    const next = all !== undefined && from + perPage < all.length ? String(from + perPage) : null;
    const body = {
      [listKeys[route] ?? 'lista']: all?.slice(from, from + perPage),
      paginacion: { siguiente: next },
    };
    sendJson(response, all === undefined ? 404 : 200, body);
  });
  ({ url } = server);
});

afterEach(() => server.close());

const day = (place: number) => `2025-03-${String(place).padStart(2, '0')}`;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `k${index + 1}`);
const records = (names: readonly string[]) => names.map((id) => ({ id, nombre: `Nombre ${id}` }));
const always =
  (names: readonly string[]): Answer =>
  () =>
    records(names);
/** Each walk says the next; the last one holds for all that follow. */
const inTurn =
  (...lists: readonly (readonly string[])[]): Answer =>
  (walk) =>
    records(lists[Math.min(walk, lists.length) - 1] ?? []);

/** A run of this exit code. */
async function sync(exitCode: number, place: number, streams: readonly string[]): Promise<Synced> {
  walks.clear();
  asked = [];
  const synced = await runOnce({
    pool: database.pool,
    url,
    runDate: day(place),
    streams,
    life,
    clientIds: [],
  });
  expect(synced).toMatchObject({ exit_code: exitCode });
  return synced;
}

/** Keys that the newest state holds. */
async function open(stream: string): Promise<string[]> {
  return await database.lines(
    `select record_key from snapshot.record where stream = $1 and until = 'infinity' order by length(record_key), record_key`,
    stream,
  );
}

/** Half an hour passes. */
const later = async () =>
  await database.pool.query(`update sync.slice set walked_at = walked_at - interval '31 minutes'`);

describe('a list that lost many of its records', () => {
  beforeEach(async () => {
    says = { competitors: always(ids(60)) };
    await sync(0, 1, ['competitors']);
  });

  it('is walked once, and again half an hour later at the earliest', async () => {
    says['competitors'] = always(ids(35));
    const { failures } = await sync(1, 2, ['competitors']);
    expect(failures).toMatchObject([{ looks_again_at: expect.any(String) }]);
    expect(asked).toEqual(['competitors']);
    const looks_again_at = failures[0]?.looks_again_at;
    expect((await sync(1, 2, ['competitors'])).failures).toMatchObject([{ looks_again_at }]);
    expect(asked).toEqual([]);
    expect(await open('competitors')).toEqual(ids(60));
    says['competitors'] = always(ids(60));
    await later();
    await sync(0, 2, ['competitors']);
    expect(await open('competitors')).toEqual(ids(60));
  });

  it('lacks what both walks lack; what only one lacks stays', async () => {
    says['competitors'] = always(ids(35));
    await sync(1, 2, ['competitors']);
    await later();
    says['competitors'] = always(ids(32));
    await sync(0, 2, ['competitors']);
    expect(await open('competitors')).toEqual(ids(35));
    says['competitors'] = always(ids(33));
    await sync(0, 3, ['competitors']);
    expect(await open('competitors')).toEqual(ids(33));
  });
});

describe('many lists of one account that lose their records on one run date', () => {
  const lists = ['sources', 'competitors', 'demand'];

  beforeEach(async () => {
    says = Object.fromEntries(lists.map((name) => [name, always(ids(30))]));
    await sync(0, 1, lists);
  });

  const allOpen = async () => await Promise.all(lists.map(async (name) => (await open(name)).length));

  it('have one fault, also while one after another comes back: no walk of the same run date proves it', async () => {
    says = Object.fromEntries(lists.map((name) => [name, always([])]));
    await sync(1, 2, lists);
    await later();
    says['sources'] = always(ids(30));
    await sync(1, 2, lists);
    expect(await allOpen()).toEqual([30, 30, 30]);
    await sync(0, 3, lists);
    expect(await allOpen()).toEqual([30, 0, 0]);
  });

  it.each([
    ['are two facts, that a second walk proves', ids(5), ids(4), 2],
    ['and come back empty have one fault, that a later run date proves', [], [], 3],
  ])('two of them %s', async (_, competitors, demand, provedOn) => {
    says = { ...says, competitors: always(competitors), demand: always(demand) };
    await sync(1, 2, lists);
    await later();
    await sync(provedOn === 2 ? 0 : 1, 2, lists);
    if (provedOn === 3) {
      expect(await allOpen()).toEqual([30, 30, 30]);
      await sync(0, 3, lists);
    }
    expect(await allOpen()).toEqual([30, competitors.length, demand.length]);
  });
});

describe('a list of several pages, or of few records', () => {
  const lists = ['competitors', 'sources'];

  beforeEach(async () => {
    perPage = 10;
    says = { competitors: always(ids(25)), sources: always(ids(3)) };
    await sync(0, 1, lists);
  });

  const requests = () => asked.filter((name) => name === 'competitors').length;

  it('ends what both walks lack on the same run date, and is walked once where nothing is missing', async () => {
    await sync(0, 2, lists);
    expect(requests()).toBe(3);
    says['competitors'] = always(ids(24));
    await sync(0, 3, lists);
    expect(await open('competitors')).toEqual(ids(24));
    expect(requests()).toBe(6);
  });

  it('that has few records and comes back empty is asked for once more before it ends', async () => {
    says['sources'] = inTurn([], ids(3));
    await sync(0, 2, lists);
    expect(await open('sources')).toEqual(ids(3));
    says['sources'] = always([]);
    await sync(0, 3, lists);
    expect(await open('sources')).toEqual([]);
    expect(asked.filter((name) => name === 'sources')).toHaveLength(2);
  });

  it('keeps until the next walk what it lacks, where the requests of the day are needed', async () => {
    life = createKeyLife(6);
    says['competitors'] = always(ids(24));
    await sync(0, 2, lists);
    expect(requests()).toBe(3);
    expect(await open('competitors')).toEqual(ids(25));
    life = createKeyLife(6);
    await sync(0, 3, lists);
    expect(requests()).toBe(3);
    expect(await open('competitors')).toEqual(ids(24));
  });
});
