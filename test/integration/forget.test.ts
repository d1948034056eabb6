// A client that is forgotten is in no key of any table, and no sync brings it back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { blockClient, unblockClient } from '../../src/forget/block-client.ts';
import { type ForgetInput, forgetClient } from '../../src/forget/forget-client.ts';
import { forgetOwnScopes } from '../../src/forget/forget-scopes.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { planSlices } from '../../src/store/slices/slices.ts';
import { unset } from '../support/config-fixtures.ts';
import { publishRecords } from '../support/publish-records.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { type TestDatabase, useDatabase } from '../support/test-database.ts';
import { makeWrites } from '../support/write-world.ts';

const database = useDatabase();
let sandbox: Sandbox;

const account = 'default';
const firstDate = parseRunDate('2026-03-02') as RunDate;
const streams = ['clientes', 'visibility', 'products', 'perception', 'agent_runs', 'agent_run_traces'];

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const asked = addDays(firstDate, -28);
  sandbox = await startSandbox({ clients: 2, size: 0.25, date: firstDate, asked, ...limits });
  await sync(0, streams);
});

afterAll(async () => {
  await sandbox?.close();
});

async function sync(day: number, names = streams.filter((name) => !name.startsWith('agent'))) {
  const runDate = addDays(firstDate, day);
  sandbox.setDate(runDate);
  const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
  const from = { pool: database.pool, url: sandbox.url, runDate, streams: names, env };
  return await syncOnce({ ...from, everyClient: true });
}

const forgetIn = ({ pool, db }: TestDatabase, clientId: string, more: Partial<ForgetInput> = {}) =>
  forgetClient(pool, db, {
    ...{ account, clientId, names: [], isText: false, sleep: async () => undefined },
    ...more,
  });
const forget = (clientId: string, more?: Partial<ForgetInput>) => forgetIn(database, clientId, more);

/** Rows of every table of every schema that hold a text, by table. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const tables = await database.lines(
    `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
       and n.nspname not like 'pg_temp%' order by 1`,
  );
  const found: Record<string, number> = {};
  for (const table of tables) {
    const counted = `select count(*) from ${table} as t where position($1 in to_jsonb(t)::text) > 0`;
    const count = Number((await database.lines(counted, text))[0]);
    if (count > 0) found[table.replaceAll('"', '')] = count;
  }
  return found;
}

/** Publishes data about clients that stands beside an account's own lists of attributes and of revenue. */
async function publishBeside(runDate: RunDate): Promise<void> {
  const of = { account: 'agency', runDate };
  const afirmaciones = ['beside-1', 'beside-2'].map((cliente) => ({
    ...{ cliente, afirmacion: `Abre también los domingos por la tarde, dice ${cliente}` },
    ...{ veredicto: 'falsa', dato: 'Cierra los domingos' },
  }));
  const attribute = { id: 'a1', atributo: 'rápido' };
  await publishRecords(database.db, {
    ...{ ...of, stream: 'perception', records: [attribute], rest: { afirmaciones } },
  });
  const rest = { cliente: 'beside-1', embudo: { sesiones: 120, carritos: 30, pedidos: 4 } };
  const revenue = { canal: 'chatgpt', ingresos: 12.5, moneda: 'EUR' };
  await publishRecords(database.db, { ...of, stream: 'revenue', records: [revenue], rest });
  await refreshMapping(database.db);
}

const ownersOf = (table: string) =>
  database.lines(
    `select distinct client_id from typed.${table} where account = 'agency' and until = 'infinity' order by 1`,
  );

const clients = () =>
  database.rows<{ id: string; name: string }>(
    `select client_id as id, client_name as name from bi.clients where client_id <> '' order by client_id collate "C"`,
  );

describe('forget', () => {
  it('leaves the client in no key, and only in the texts that it counted', async () => {
    const [client] = (await clients()).filter(({ id }) => /[a-z]/i.test(id));
    if (client === undefined) throw new Error('no client');
    expect(Object.keys(await rowsWith(client.id)).length).toBeGreaterThan(14);
    await database.pool.query(
      `insert into sync.note (account, client_id, note_date, text) values ($1, $2, '2026-03-02', 'New site')`,
      [account, client.id],
    );
    const forgotten = await forget(client.id);
    expect(forgotten.counts).toMatchObject({
      'sync.note': 1,
      'snapshot.clientes': 1,
      'snapshot.visibility': 1,
    });
    for (const [table, rows] of Object.entries(await rowsWith(client.id)))
      expect(forgotten.texts[table]).toBeGreaterThanOrEqual(rows);
    for (const [table, rows] of Object.entries(await rowsWith(client.name)))
      expect(forgotten.texts[table]).toBeGreaterThanOrEqual(rows);
    expect(Object.keys(forgotten.texts)).not.toContain('sync.slice');
    expect((await clients()).map(({ id }) => id)).not.toContain(client.id);
    expect(await database.lines('select sync.refresh_clients(null)')).toEqual(['0']);

    expect(await sync(1)).toMatchObject({ exit_code: 0 });
    const texts = ['snapshot.envelope', 'typed.claims'];
    expect(Object.keys(await rowsWith(client.id)).filter((table) => !texts.includes(table))).toEqual([]);
    const scope = { stream: 'products', account, clientId: client.id };
    expect(await planSlices(database.db, addDays(firstDate, 1), [scope], 1)).toEqual([]);

    expect(await unblockClient(database.db, { account, clientId: client.id })).toBe(true);
    await sync(2);
    expect((await clients()).map(({ id }) => id)).toContain(client.id);
    await forget(client.id, { isText: true });
    expect(await rowsWith(client.id)).toEqual({});
    expect(await rowsWith(client.name)).toEqual({});
  });

  it('ends what an attempt that was killed began, and counts both', async () => {
    const client = { account, clientId: (await clients())[0]?.id ?? '' };
    await blockClient(database.db, client);
    const [slices] = await database.lines(
      'select count(*) from sync.slice where client_id = $1',
      client.clientId,
    );
    await forgetOwnScopes(database.db, client);
    // A slice was still under way at that time.
    await database.pool.query(
      `insert into sync.slice (account, stream, client_id, run_date) values ($1, 'products', $2, '2026-03-09')`,
      [account, client.clientId],
    );
    const job = { name: 'default-daily', accounts: ['default'] };
    const selection = (clients: readonly string[]) => ({ accounts: ['default'], job: { ...job, clients } });
    await database.pool.query(
      `insert into sync.batch (job, is_queued, settled_at, selection) values ('forgotten', true, now(), $1)`,
      [selection([client.clientId, 'default-2'])],
    );
    const { counts } = await forget(client.clientId, { names: ['Default'] });
    expect(counts).toMatchObject({ 'snapshot.clientes': 1, 'sync.slice': Number(slices) + 1 });
    // A client may have the name of an account or a job, and a batch that waits goes on by these.
    const batch = await database.pool.query(`select selection from sync.batch where job = 'forgotten'`);
    expect(batch.rows).toEqual([{ selection: selection(['[forgotten]', 'default-2']) }]);
    await unblockClient(database.db, client);
    await sync(3);
  });

  it('leaves what is said of a client of the same id in another account', async () => {
    const client = { account, clientId: 'c-same' };
    for (const [of, name] of [['a', account] as const, ['b', 'other'] as const, ['c', null] as const]) {
      await database.pool.query(
        `insert into sync.incident (cause, kind, account, message, since) values
          ($1, 'k', $3, 'No data of c-same', now()), ($2, 'k', $3, 'No data of c-same', now())`,
        [`${of}:c-same`, `${of}:key`, name],
      );
      await database.pool.query(`insert into sync.batch (job, selection) values ('same', $1)`, [
        { accounts: [name], client_ids: ['c-same'] },
      ]);
    }
    const { counts } = await forget('c-same');
    expect(counts).toEqual({
      'sync.incident': 2,
      'sync.incident (message)': 2,
      'sync.batch (selection)': 1,
    });
    const messages = `select cause, message from sync.incident where kind = 'k' order by cause`;
    expect(await database.lines(messages)).toEqual([
      'a:key No data of [forgotten]',
      'b:c-same No data of c-same',
      'b:key No data of c-same',
      'c:key No data of [forgotten]',
    ]);
    await unblockClient(database.db, client);
  });

  it('holds beside a sync that walks the client', async () => {
    const [client] = await clients();
    if (client === undefined) throw new Error('no client');
    const [forgotten] = await Promise.all([forget(client.id), sync(4)]);
    expect(forgotten.clientHash).toMatch(/^[0-9a-f]{64}$/);
    const { rows } = await database.pool.query(
      `select stream from sync.slice where client_id = $1
       union all select stream from snapshot.record where client_id = $1
       union all select 'rank_point' from typed.rank_point where client_id = $1
       union all select 'clients' from typed.clients where coalesce(id, record_key) = $1`,
      [client.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('what stands beside the list of an account', () => {
  it('has no rows of a client that is forgotten, nor after the next publish', async () => {
    await publishBeside(firstDate);
    expect(await ownersOf('claims')).toEqual(['beside-1', 'beside-2']);
    expect(await ownersOf('revenue_funnel')).toEqual(['beside-1']);
    const forgotten = await forget('beside-1', { account: 'agency' });
    expect(forgotten.counts).toMatchObject({ 'typed.claims': 1, 'typed.revenue_funnel': 1 });
    await publishBeside(addDays(firstDate, 1));
    expect(await ownersOf('claims')).toEqual(['beside-2']);
    expect(await ownersOf('revenue_funnel')).toEqual([]);
  });
});

describe('what was sent', () => {
  const own = useDatabase();
  const rowsOf = (table: string, account: string) =>
    own.rows(`select * from sync.${table} where account = $1`, account);

  it('has no text of a client that is forgotten, and what asks about it is not sent', async () => {
    const world = await makeWrites(own.db, unset);
    await own.rows(
      `insert into sync.question (account, hash, text, write_id, sent_at) values
         ('north', 'd', '¿Es buena la Clínica Norte?', null, null), ('north', 'e', 'clínica norte, ¿dónde?', $1, now())`,
      world.questions,
    );
    await own.rows(
      `update sync.question set text = null where hash = 'a';
       update sync.write_source set name = 'Clínica Norte.log' where account = 'south'`,
    );
    await forgetIn(own, '7', { account: 'north', names: ['Clínica Norte'] });
    const write = await rowsOf('write', 'north');
    const question = await rowsOf('question', 'north');
    expect(JSON.stringify([write, question])).not.toMatch(/clínica norte/i);
    expect(write).toContainEqual(expect.objectContaining({ id: world.measurement, subject: '[forgotten]' }));
    expect(write).toContainEqual(
      expect.objectContaining({ id: world.questions, skipped_at: expect.any(Date) }),
    );
    expect(write).toContainEqual(expect.objectContaining({ id: world.planned, skipped_at: null }));
    expect(question).toHaveLength(4);
    // Another account's are not meant.
    expect(await rowsOf('write_source', 'south')).toMatchObject([{ name: 'Clínica Norte.log' }]);
  });
});
