// Publishing writes into the tables of the curated views exactly what their definitions read from the versions.
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { readRebuilds } from '../../src/publish/tables/rebuild-typed.ts';
import { lockStream, scopeLocks } from '../../src/publish/tables/typed-tables.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

/** Every row of every typed and derived table, and of the list of clients. */
async function allRows(): Promise<Record<string, string[]>> {
  const tables = await database.lines(
    `select format('typed.%I', tablename) from pg_tables where schemaname = 'typed' order by 1`,
  );
  const all: Record<string, string[]> = {};
  for (const name of [...tables, 'sync.client'])
    all[name] = await database.lines(`select t::text as t from ${name} as t order by 1`);
  return all;
}

const publish = async (
  account: string,
  clientId: string,
  runDate: string,
  records: readonly object[],
  more: { readonly stream?: string; readonly key?: readonly [] } = {},
) => await publishRecords(database.db, { stream: 'products', account, clientId, runDate, records, ...more });

type Step =
  | {
      readonly kind: 'publish';
      readonly stream: number;
      readonly client: number;
      readonly daysLater: number;
      readonly seeds: readonly number[];
    }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'map'; readonly to: string | undefined };

const day = (date: number) => new Date(Date.UTC(2026, 0, 1 + date)).toISOString().slice(0, 10);

/** Clients that differ in letter case only, and one whose records have no client. */
const clients = ['Casa', 'casa'];
const owner = (seed: number) => [...clients, null][seed % 3];

function rankPoint(seed: number, date: number): Record<string, unknown> {
  return {
    ...(seed % 4 === 0 ? {} : { fecha: day(date - (seed % 3) * 9) }),
    ...(seed % 7 === 0 ? {} : { metodo: seed % 2 === 0 ? 'v1' : 'V2' }),
    puntuacion: seed % 50,
    otra: seed % 9,
    comparable: seed % 5 === 0 ? null : seed % 11 !== 0,
    dimensiones: { presencia: seed % 10, tono: { valor: seed % 6 } },
  };
}

interface Shape {
  readonly stream: string;
  /** Default false. */
  readonly perClient?: boolean;
  /** Field that tells records apart. */
  readonly key?: string;
  readonly record: (seed: number, date: number) => Record<string, unknown>;
  readonly rest?: (seeds: readonly number[], date: number) => Record<string, unknown>;
}

const id = (seed: number) => seed % 4;
/** A record with an id and an owner. */
const owned = (seed: number) => ({ id: id(seed), cliente: owner(id(seed)) });

const shapes: readonly Shape[] = [
  { stream: 'airank', perClient: true, record: rankPoint },
  {
    stream: 'visibility',
    perClient: true,
    record: (seed, date) => ({
      ...rankPoint(seed, date),
      versiones: { v1: { puntuacion: seed % 8, ...(seed % 2 === 0 ? { fecha: day(date - 2) } : {}) } },
    }),
  },
  {
    stream: 'visibility_history',
    perClient: true,
    key: 'id',
    record: (seed, date) => ({ id: id(seed), ...rankPoint(seed, date) }),
  },
  {
    stream: 'airank_history',
    key: 'id',
    record: (seed, date) => ({ id: id(seed), cliente: owner(seed), ...rankPoint(seed + 1, date) }),
  },
  {
    stream: 'products',
    perClient: true,
    key: 'id',
    record: (seed) => ({ id: id(seed), nombre: `n${seed % 5}`, precio: seed % 7, otra: seed % 3 }),
  },
  {
    stream: 'competitors',
    key: 'nombre',
    record: (seed) => ({ nombre: `r${id(seed)}`, cliente: owner(id(seed)), por_100: seed % 6 }),
    rest: (seeds, date) => ({
      alertas: seeds.map((seed) => ({
        ...{ cliente: owner(seed), fecha: day(date - (seed % 2)), competidor: `r${id(seed)}` },
      })),
    }),
  },
  {
    stream: 'citations',
    key: 'url',
    record: (seed) => ({ url: `u${id(seed)}`, cliente: owner(id(seed)), citas: seed % 3 }),
  },
  {
    stream: 'actions',
    key: 'id',
    record: (seed) => ({ ...owned(seed), estado: `e${seed % 3}`, expectativa: { hasta: seed % 2 } }),
  },
  {
    stream: 'revenue',
    record: (seed) => ({ cliente: owner(seed), canal: `c${seed % 2}`, moneda: 'EUR', importe: seed }),
  },
  {
    stream: 'mediciones',
    key: 'id',
    record: (seed, date) => ({ id: seed, cliente: owner(seed), ...rankPoint(seed, date) }),
  },
  {
    stream: 'respuestas',
    key: 'id',
    record: (seed, date) => ({
      ...{ id: seed, cliente: owner(seed), respuesta: `largo ${seed % 3}`, medicion_id: seed % 6 },
      ...(seed % 4 === 0 ? {} : { fecha: day(date - (seed % 5) * 9) }),
      ...{ motor: `e${seed % 2}`, pregunta: `q${seed % 3}`, menciona: [true, false, null][seed % 3] },
    }),
  },
  {
    stream: 'clientes',
    key: 'id',
    record: (seed) => ({ id: clients[seed % 2], nombre: `N${seed % 4}`, otra: `O${seed % 2}` }),
  },
  {
    stream: 'perception',
    key: 'id',
    record: (seed) => ({ id: id(seed), cliente: owner(seed), marca: `m${seed % 3}` }),
    rest: (seeds) => ({
      afirmaciones: seeds.map((seed) => ({
        ...{ cliente: owner(seed), afirmacion: `a${id(seed)}`, veredicto: 'v' },
      })),
    }),
  },
  {
    stream: 'prediccion',
    record: (seed) => ({
      cliente: owner(seed),
      puntos: [{ fecha: day(seed), puntuacion: seed % 9 }, { fecha: day(seed + 1) }],
    }),
  },
];

const seeds = fc.uniqueArray(fc.nat(14), { maxLength: 4 });
const publishStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('publish' as const),
  stream: fc.nat(3),
  client: fc.nat(1),
  daysLater: fc.constantFrom(0, 0, 1, 1, 2, 20),
  seeds,
});
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: publishStep },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'refresh' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>({ kind: 'map', to: 'otra' }, { kind: 'map', to: undefined }),
  },
);

/** Few, so that the same records come again and again. */
const fewStreams = fc.tuple(
  fc.nat(3),
  fc.integer({ min: 4, max: 7 }),
  fc.integer({ min: 5, max: shapes.length - 1 }),
  fc.constant(shapes.findIndex(({ stream }) => stream === 'clientes')),
);

async function take(step: Step, account: string, date: number): Promise<void> {
  if (step.kind === 'refresh') {
    await rebuildAll(database.db, ['rank_now', 'products', 'actions']);
  } else if (step.kind === 'map') {
    for (const field of ['rank_now.score', 'products.price', 'clients.name'])
      await mapField(database.db, parseFieldPlace(field), step.to);
    await refreshMapping(database.db);
  } else {
    const shape = shapes[step.stream];
    if (shape === undefined) return;
    const { stream, key } = shape;
    const records = step.seeds.map((seed) => shape.record(seed, date));
    const distinct = new Map(
      records.map((record) => [JSON.stringify(key === undefined ? record : record[key]), record]),
    );
    await publishRecords(database.db, {
      ...{ stream, account, runDate: day(date), records: [...distinct.values()] },
      clientId: shape.perClient === true ? (clients[step.client] ?? '') : '',
      key: key === undefined ? [] : [[key]],
      rest: shape.rest?.(step.seeds, date) ?? {},
    });
  }
}

describe('the tables of the curated views', () => {
  it('hold what the versions say after any publishes, repetitions, refreshes and mappings', async () => {
    // Publishes every shape once, as only fields that have been seen are mapped.
    for (const [index, shape] of shapes.entries()) {
      const seeds = Array.from({ length: 8 }, (_, seed) => seed + 1);
      await take({ kind: 'publish', stream: index, client: 0, daysLater: 0, seeds }, 'first', 0);
      if (shape.perClient)
        await take({ kind: 'publish', stream: index, client: 1, daysLater: 0, seeds }, 'first', 0);
    }
    await refreshViews(database.db);
    for (const [field, path] of Object.entries({ measurement_id: 'medicion_id', question: 'pregunta' }))
      await mapField(database.db, parseFieldPlace(`answers.${field}`), path);
    await refreshMapping(database.db);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fewStreams,
        fc.array(stepArbitrary, { minLength: 8, maxLength: 24 }),
        async (streams, steps) => {
          run += 1;
          let date = 40;
          for (const step of steps) {
            if (step.kind === 'publish') date += step.daysLater;
            const stream = step.kind === 'publish' ? (streams[step.stream] ?? 0) : 0;
            await take({ ...step, stream } as Step, `run${run}`, date);
          }
          const published = await allRows();
          await rebuildAll(database.db);
          await database.lines('select sync.refresh_clients(null)');
          expect(published).toEqual(await allRows());
        },
      ),
      { numRuns: 3 },
    );
    const all = await allRows();
    for (const name of ['answers', 'mention_count', 'mention_change', 'rank_point', 'action_status'])
      expect(all[`typed.${name}`], name).not.toEqual([]);
    await take({ kind: 'map', to: undefined }, '', 0);
  }, 300_000);

  it('have each record once a run date, from long ago until the newest one', async () => {
    const expected: string[] = [];
    for (const [price, date] of ['01-01', '01-30', '03-01', '03-02', '03-03', '04-01', '04-02'].entries()) {
      const third = price % 2 === 0 ? [{ id: 3, precio: 7 }] : [];
      const records = [{ id: 1, precio: 7 }, { id: 2, precio: price }, ...third];
      await publish('long', 'c', `2027-${date}`, records);
      expected.push(...records.map(({ id, precio }) => `2027-${date} ${id} ${precio}`));
    }
    await refreshViews(database.db);
    await refreshMapping(database.db);
    const shown = await database.lines(`
      select concat_ws(' ', run_date, product_id, price_amount) as t from bi_history.products
      where account = 'long' order by 1`);
    expect(shown).toEqual(expected.sort());
  });

  it('have a point for each run date of a rank that is unchanged and without a date of its own', async () => {
    const runDates = ['2027-01-01', '2027-01-02', '2027-01-04'];
    for (const runDate of runDates) {
      const records = [{ metodo: 'v2', puntuacion: 5, comparable: true }];
      await publish('still', 'c', runDate, records, { stream: 'airank', key: [] });
    }
    expect(
      await database.lines(`select date::text as t from bi.rank_trend where account = 'still' order by 1`),
    ).toEqual(runDates);
  });

  it('are there, by name, with the first published slice', async () => {
    const { rows } = await database.pool.query<{ mapped: boolean }>(
      `select mapping is not null as mapped from sync.typed_table where source = 'merchants'`,
    );
    expect(rows).toEqual([{ mapped: false }]);
    const one = [{ id: 1, merchant: 'm' }];
    // Two at once: one of them makes the mapping.
    const accounts = ['first', 'second'];
    await Promise.all(accounts.map((name) => publish(name, '', '2027-01-01', one, { stream: 'shopping' })));
    const found = await database.pool.query(`select account, merchant from bi.shopping order by 1`);
    expect(found.rows).toEqual([
      { account: 'first', merchant: 'm' },
      { account: 'second', merchant: 'm' },
    ]);
  });

  it('are not looked at by a publish that changes nothing', async () => {
    await publish('same', '', '2027-01-01', [{ id: 1, precio: 1 }]);
    const busy = await database.pool.connect();
    await busy.query('begin');
    await busy.query('lock table typed.products in access exclusive mode');
    try {
      expect(await publish('same', '', '2027-01-02', [{ id: 1, precio: 1 }])).toMatchObject({ unchanged: 1 });
    } finally {
      await busy.query('rollback');
      busy.release();
    }
  });

  it('show what the mapping said before until all of it is read anew, whatever is published meanwhile', async () => {
    const change = (clientId: string, runDate: string, precio: number) =>
      publish('change', clientId, runDate, [{ id: 1, precio, otra: precio + 100 }]);
    const prices = () =>
      database.lines(`select concat_ws(' ', client_id, run_date, price_amount) as t from bi_history.products
             where account = 'change' order by 1`);
    await change('a', '2027-01-01', 1);
    await change('b', '2027-01-01', 2);
    const before = ['a 2027-01-01 1', 'b 2027-01-01 2'];
    expect(await prices()).toEqual(before);
    await mapField(database.db, parseFieldPlace('products.price'), 'otra');
    // Somebody publishes b, so filling comes no further than that.
    const busy = await database.pool.connect();
    await busy.query('begin');
    await busy.query(`select pg_advisory_xact_lock(hashtext('airank typed scope'), hashtext($1))`, [
      JSON.stringify(['products', 'change', 'b']),
    ]);
    const refreshing = refreshMapping(database.db);
    await expect
      .poll(
        async () => (await readRebuilds(database.db)).map(({ scopes, filled }) => scopes - filled)[0] ?? -1,
        {
          timeout: 20_000,
        },
      )
      .toBeGreaterThan(0);
    await change('a', '2027-01-02', 3);
    await change('c', '2027-01-02', 4);
    expect(await prices()).toEqual([before[0], 'a 2027-01-02 3', before[1], 'c 2027-01-02 4']);
    await busy.query('rollback');
    busy.release();
    expect(await refreshing).toEqual(['products']);
    expect(await prices()).toEqual([
      'a 2027-01-01 101',
      'a 2027-01-02 103',
      'b 2027-01-01 102',
      'c 2027-01-02 104',
    ]);
    expect(await readRebuilds(database.db)).toEqual([]);
    await mapField(database.db, parseFieldPlace('products.price'), undefined);
    await refreshMapping(database.db);
    // Ended before it was done, and the mapping is as it was: then nobody wants the other table.
    await database.db.transaction().execute(async (tx) => {
      await sql`create table typed.products_next as select * from typed.products`.execute(tx);
      await sql`comment on table typed.products_next is '(airank)'`.execute(tx);
      await sql`
        insert into sync.typed_table (source, is_next, stream, mapping, hash)
        values ('products', true, 'products', '[]', 'another')`.execute(tx);
    });
    await refreshMapping(database.db);
    expect(await readRebuilds(database.db)).toEqual([]);
    expect(await prices()).toEqual(['a 2027-01-01 1', 'a 2027-01-02 3', 'b 2027-01-01 2', 'c 2027-01-02 4']);
  });
});

it('says who is waited for, when a publish or another process writes the same typed rows for too long', async () => {
  const scope = { stream: 'products', account: 'a', clientId: 'c' };
  await database.db.transaction().execute(async (busy) => {
    await sql`select ${scopeLocks(scope)}`.execute(busy);
    const waiting = database.db.transaction().execute((tx) => lockStream(tx, 'products', 50));
    await expect(waiting).rejects.toThrow(
      /Waited 0\.05 s for the typed rows of products.*airank views.*Run this again later/,
    );
  });
});
