// Servers with field names of their own: whether clients and records are known again without a setting.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../src/streams/catalog.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { englishWorld } from '../worlds/english/english-world.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';
import { spanishWorld } from '../worlds/spanish/spanish-world.ts';
import type { World } from '../worlds/world.ts';

interface Wanted {
  readonly clients: number;
  /** What identifies the records of a stream, where anything does. */
  readonly pins: Readonly<Record<string, string>>;
  /** Streams without an identifier: all that changes in them is gone and new. */
  readonly byContent: readonly string[];
  /** Records of the others that the second date really lacks. */
  readonly vanished: Readonly<Record<string, number>>;
}

const english: Wanted = {
  clients: 6,
  pins: {
    acciones: 'ref',
    actions: 'id',
    agent_memory: 'memoryId',
    agent_runs: 'run_id',
    airank_history: 'pointId',
    bgpi: 'promptId',
    citas: 'cite_id',
    citations: 'pageId',
    clientes: 'accountId',
    competitors: 'competitorId',
    demand: 'promptRef',
    experiments: 'expId',
    fanouts: 'prompt.id',
    mediciones: 'id',
    optimizer: 'versionId',
    perception: 'traitKey',
    products: 'productId',
    prompt_clusters: 'slug',
    prompt_gaps: 'dedupeKey',
    prompts: 'pid',
    respuestas: 'answer_uid',
    sources: 'host',
    triggers: 'entryId',
  },
  byContent: ['benchmark', 'crawl', 'revenue', 'shopping', 'visibility_history'],
  vanished: { citations: 4, prompt_gaps: 1 },
};

const spanish: Wanted = {
  clients: 5,
  pins: {
    acciones: 'id',
    actions: 'ref',
    agent_memory: 'num_entrada',
    agent_runs: 'run_id',
    airank_history: 'ref',
    bgpi: 'pregunta_ref',
    citas: 'num',
    citations: 'enlace',
    clientes: 'cod_cliente',
    competitors: 'id_rel',
    demand: 'ref_preg',
    experiments: 'codigo',
    fanouts: 'pregunta_id',
    mediciones: 'num_medicion',
    perception: 'ref',
    products: 'ean',
    prompt_clusters: 'clave',
    prompts: 'id_preg',
    respuestas: 'id_resp',
    shopping: 'comercio',
    sources: 'host',
    triggers: 'id_salto',
  },
  byContent: ['benchmark', 'crawl', 'optimizer', 'prompt_gaps', 'revenue', 'visibility_history'],
  vanished: {},
};

describe.each<[string, World, Wanted]>([
  ['English', englishWorld, english],
  ['Spanish', spanishWorld, spanish],
])('with %s field names', (_, world, wanted) => {
  let database: TestDatabase;
  let server: ServedWorld;

  beforeAll(async () => {
    [database, server] = await Promise.all([createTestDatabase(), serveWorld(world)]);
  });

  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  async function sync(runDate: string) {
    const streams = catalog.map(({ name }) => name);
    return await syncOnce({ pool: database.pool, url: server.baseUrl, runDate, streams, everyClient: true });
  }

  async function read<T>(statement: string): Promise<T[]> {
    return (
      await database.pool.query<{ row: T }>(`select to_jsonb(q) as row from (${statement}) as q`)
    ).rows.map(({ row }) => row);
  }

  async function pins(): Promise<unknown> {
    const rows = await read<{ stream: string; record_key: string[][] }>(
      'select stream, record_key from sync.stream where record_key is not null',
    );
    return Object.fromEntries(
      rows.map(({ stream, record_key }) => [stream, record_key.map((path) => path.join('.')).join(' and ')]),
    );
  }

  it('a first sync reads every client and knows each record by its identifier', {
    timeout: 120_000,
  }, async () => {
    expect(await sync('2026-05-18')).toMatchObject({ exit_code: 0 });
    expect(
      await read("select stream, error from sync.slice where status <> 'complete' or error is not null"),
    ).toEqual([]);
    const perClient = await read<{ clients: number }>(
      "select count(distinct client_id) as clients from sync.slice where client_id <> '' group by stream",
    );
    expect(perClient).toEqual(
      catalog.filter((one) => one.perClient).map(() => ({ clients: wanted.clients })),
    );
    const content = Object.fromEntries(wanted.byContent.map((stream) => [stream, '']));
    expect(await pins()).toEqual({ ...wanted.pins, ...content });
  });

  it('the next date ends only the records that are gone', { timeout: 120_000 }, async () => {
    const before = await pins();
    server.nextDay();
    expect(await sync('2026-05-19')).toMatchObject({ exit_code: 0 });
    expect(await pins()).toEqual(before);
    const rows = await read<{ stream: string; vanished: number; key_conflicts: number }>(
      "select stream, sum(vanished)::integer as vanished, sum(key_conflicts)::integer as key_conflicts from sync.slice where run_date = '2026-05-19' group by stream",
    );
    expect(rows.filter((row) => row.key_conflicts > 0)).toEqual([]);
    const vanished = rows.filter((row) => row.vanished > 0 && !wanted.byContent.includes(row.stream));
    expect(Object.fromEntries(vanished.map((row) => [row.stream, row.vanished]))).toEqual(wanted.vanished);
  });
});
