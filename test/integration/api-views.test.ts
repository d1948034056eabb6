import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const { rows, lines } = database;

async function publish(
  stream: string,
  runDate: string,
  records: readonly unknown[],
  more = {},
): Promise<void> {
  await publishRecords(database.db, { stream, runDate, records, ...more });
}

const columns = (view: string) =>
  lines(
    `select attname, format_type(atttypid, null) from pg_attribute
     where attrelid = 'api."${view}"'::regclass and attnum > 5 and not attisdropped order by attnum`,
  );

describe('the views of a stream', () => {
  it('show current records, a row a record and complete date, and what changed', async () => {
    const prices = async (runDate: string, of: Readonly<Record<number, number>>) =>
      await publish(
        'v1',
        runDate,
        Object.entries(of).map(([id, precio]) => ({ id: Number(id), precio })),
      );
    await prices('2026-01-01', { 1: 10, 2: 20 });
    await prices('2026-01-02', { 1: 11, 2: 20 });
    await prices('2026-01-04', { 1: 11, 3: 30 });
    await refreshViews(database.db);
    expect(await lines('select record_key, run_date, id, precio from api.v1 order by id')).toEqual([
      '1 2026-01-04 1 11',
      '3 2026-01-04 3 30',
    ]);
    // 2026-01-03 has no complete slice: a gap.
    expect(
      await lines('select run_date, array_agg(precio order by id) from api.v1_daily group by 1 order by 1'),
    ).toEqual(['2026-01-01 10,20', '2026-01-02 11,20', '2026-01-04 11,30']);
    expect(
      await lines(
        `select run_date, record_key, change, previous_run_date, before ->> 'precio', after ->> 'precio'
         from api.v1_changes where run_date > '2026-01-01' order by 1, 2`,
      ),
    ).toEqual([
      '2026-01-02 1 changed 2026-01-01 10 11',
      '2026-01-04 2 vanished 2026-01-02 20 -',
      '2026-01-04 3 added 2026-01-02 - 30',
    ]);
  });

  it('have the same rows by date for slices of clients, which are read a block of days at once', async () => {
    // The first day of a block, those beside it, and the last one.
    const dates = await lines(
      `select (b + d)::text
       from (select date '0001-01-01' + (date '2026-06-01' - date '0001-01-01') / 64 * 64 as b) as x,
         unnest(array[-65, -1, 0, 1, 63, 64, 200]) as d order by 1`,
    );
    const expected: string[] = [];
    for (const [index, runDate] of dates.entries()) {
      const records = [
        { id: 1, until: 'never' },
        { id: 2, until: `${index}` },
        ...(index % 3 === 1 ? [{ id: 3, until: 'now and then' }] : []),
      ];
      await publish('v_client', runDate, records, { clientId: 'c' });
      await publish('v_account', runDate, records);
      expected.push(...records.map(({ id, until }) => `${runDate} ${id} ${until}`));
    }
    await refreshViews(database.db);
    for (const stream of ['v_client', 'v_account']) {
      const daily = `select run_date, id, until from api.${stream}_daily order by run_date, id`;
      expect(await lines(daily)).toEqual(expected);
      const one = await lines(`select run_date from api.${stream}_daily where record_key = '3' order by 1`);
      expect(one).toEqual([dates[1], dates[4]]);
    }
    const inBlocks = `select relname from pg_class where relname in ('v_client_daily', 'v_account_daily')
       and pg_get_viewdef(oid) like '%block_from%'`;
    expect(await lines(inBlocks)).toEqual(['v_client_daily']);
  });

  it('type every value of the data and flatten objects', async () => {
    const dates = { dia: '2026-02-28', medido: '2026-02-28T23:30:00', con: '2026-02-28T23:30:00-05:00' };
    const values = { ok: true, grande: 12, precioIA: 1.5, texto: 'x', lista: [1] };
    const deep = { hondo: { uno: { dos: { tres: { cuatro: 1 } } } } };
    await publish('v2', '2026-01-01', [
      { id: 'a', ...dates, ...values, ...deep },
      { id: 'b', ok: null, dia: '', lista: null },
    ]);
    await refreshViews(database.db);
    expect(await columns('v2')).toEqual([
      'con timestamp with time zone',
      'dia date',
      'grande bigint',
      'hondo__uno__dos__tres jsonb',
      'id text',
      'lista jsonb',
      'medido timestamp with time zone',
      'ok boolean',
      'precio_ia numeric',
      'texto text',
    ]);
    expect(
      await rows(`select con, dia, medido, precio_ia, hondo__uno__dos__tres from api.v2 where id = 'a'`),
    ).toEqual([
      {
        con: new Date('2026-03-01T04:30:00Z'),
        dia: '2026-02-28',
        medido: new Date('2026-02-28T23:30:00Z'),
        precio_ia: '1.5',
        hondo__uno__dos__tres: { cuatro: 1 },
      },
    ]);
    expect(await rows(`select ok, dia, lista from api.v2 where id = 'b'`)).toEqual([
      { ok: null, dia: null, lista: null },
    ]);
  });

  it('keep every digit of integers beyond bigint', async () => {
    await publish('v3', '2026-01-01', [{ id: 1, n: 1 }]);
    await refreshViews(database.db);
    await database.pool.query(`update snapshot.v3 set payload = '{"id":1,"n":92233720368547758070}'`);
    expect(await rows('select n from api.v3')).toEqual([{ n: null }]);
    await database.pool.query(`select sync.learn_fields('v3', 'v3', 'default', '', '2026-01-01', null, 4)`);
    await refreshViews(database.db);
    expect(await rows('select n, n_numeric from api.v3')).toEqual([
      { n: null, n_numeric: '92233720368547758070' },
    ]);
  });

  it('give a value that does not fit a column of its own and note the drift', async () => {
    const values = (value: unknown) => [
      { id: 1, x: value },
      { id: 2, x: 1 },
    ];
    await publish('v4', '2026-01-01', values(2));
    await refreshViews(database.db);
    await rows('create view public.mine as select * from api.v4');
    await publish('v4', '2026-01-02', values('2026-05-05'));
    const { drift, failed } = await refreshViews(database.db);
    expect(failed).toEqual([]);
    expect(drift).toEqual([
      { source: 'v4', kind: 'new_type', path: ['x'], type: 'date', example: '2026-05-05' },
    ]);
    expect(await columns('v4')).toEqual(['id bigint', 'x bigint', 'x_date date']);
    expect(await lines('select id, x from public.mine order by 1')).toEqual(['1 -', '2 1']);
  });

  it('have a child view for each array of objects, with positions', async () => {
    const parts = [{ p: 'a' }, { p: 'b' }];
    const serie = [{ dia: '2026-01-01', v: 1, partes: parts }, { v: 2.5 }, 'resto'];
    await publish('v5', '2026-01-01', [{ id: 1, serie }], {
      rest: { alertas: [{ tipo: 'nuevo' }], total: 3 },
    });
    await refreshViews(database.db);
    expect(await lines('select record_key, position, dia, v from api.v5__serie order by position')).toEqual([
      ...['1 1 2026-01-01 1', '1 2 - 2.5', '1 3 - -'],
    ]);
    expect(await lines('select parent_position, position, p from api.v5__serie__partes order by 2')).toEqual([
      ...['1 1 a', '1 2 b'],
    ]);
    expect(await lines('select total from api.v5_envelope')).toEqual(['3']);
    expect(await lines('select tipo from api.v5_envelope__alertas')).toEqual(['nuevo']);
  });

  it('wait only a while for a query that reads them, say so, and catch up later', async () => {
    await publishRecords(database.db, { stream: 'v7', runDate: '2026-01-01', records: [{ id: 1 }] });
    await refreshViews(database.db);
    await publishRecords(database.db, {
      stream: 'v7',
      runDate: '2026-01-02',
      records: [{ id: 1, nuevo: 1 }],
    });
    const reader = await database.pool.connect();
    await reader.query('begin');
    await reader.query('select * from api.v7');
    const { failed } = await refreshViews(database.db, { lockTimeoutMs: 100 });
    expect(failed).toEqual([{ source: 'v7', error: expect.stringContaining('lock timeout') }]);
    expect(await rows(`select view_error from sync.source where source = 'v7'`)).toEqual([
      { view_error: expect.stringContaining('lock timeout') },
    ]);
    await reader.query('rollback');
    reader.release();
    expect((await refreshViews(database.db)).refreshed).toEqual(['v7']);
    expect(await columns('v7')).toEqual(['id bigint', 'nuevo bigint']);
    expect((await refreshViews(database.db)).refreshed).toEqual([]);
  });

  it('note a field that new records do not have any more, and forget that when it returns', async () => {
    const many = (record: object) => Array.from({ length: 20 }, (_, id) => ({ id, ...record }));
    await publish('v8', '2026-01-01', many({ a: 1, b: 1 }));
    await refreshViews(database.db);
    await publish('v8', '2026-01-02', many({ a: 2 }));
    expect((await refreshViews(database.db)).drift.map(({ kind, path }) => [kind, path])).toEqual([
      ['field_gone', ['b']],
    ]);
    expect(await lines(`select first_run_date, last_run_date from sync.drift where source = 'v8'`)).toEqual([
      '2026-01-01 2026-01-02',
    ]);
    await publish('v8', '2026-01-03', many({ a: 3, b: 3 }));
    await refreshViews(database.db);
    expect(await rows(`select from sync.drift where source = 'v8'`)).toEqual([]);
  });

  it('have a comment on every view and column, with the source path', async () => {
    const missing = await rows(
      `select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'api'::regnamespace
         and coalesce(col_description(c.oid, a.attnum), obj_description(c.oid), '') = ''`,
    );
    expect(missing).toEqual([]);
    expect(await rows(`select col_description('api.v5__serie'::regclass, 7) as c`)).toEqual([
      { c: "serie[].dia: the API's field, where it is date." },
    ]);
  });

  it('never fail, and never lose or retype a column, whatever the records hold', async () => {
    const texts = fc.constantFrom<unknown>(
      ...[
        1,
        true,
        1.5,
        '',
        'x',
        "'; drop",
        '\\',
        '12',
        '\u0001é',
        '2026-01-01',
        '2026-01-01T10:00Z',
        '2026-02-29',
      ],
      ...['2026-02-28', '2026-02-28T25:00:00Z', '2026-02-28T10:00:00+02', '0000-00-00'],
    );
    const key = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('a', 'b') },
      fc.constantFrom('A', '', '[]', '0', 'run_date', "it's", 'a"b', '\\', 'ñ'.repeat(40)),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        { weight: 6, arbitrary: texts },
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        { weight: 6, arbitrary: fc.dictionary(key, tie('value'), { maxKeys: 4 }) },
      ),
    }));
    const records = (minLength: number) =>
      fc.array(fc.oneof({ weight: 2, arbitrary: fc.record({ a: texts }) }, value), {
        minLength,
        maxLength: 3,
      });
    let stream = 0;
    await fc.assert(
      fc.asyncProperty(
        // Views are made with the first record.
        fc.tuple(records(1), fc.array(records(0), { maxLength: 3 })).map(([first, more]) => [first, ...more]),
        async (days) => {
          stream += 1;
          const name = `p${stream}`;
          let before: string[] = [];
          for (const [index, records] of days.entries()) {
            await publish(name, `2026-01-0${index + 1}`, records);
            const { failed } = await refreshViews(database.db);
            expect(failed).toEqual([]);
            const now = await columns(name);
            expect(now.slice(0, before.length)).toEqual(before);
            before = now;
          }
          const views = `select name from sync.view where source in ('${name}', '${name}_envelope')`;
          for (const view of await lines(views))
            await rows(`select * from api."${view.replaceAll('"', '""')}"`);
          expect(await lines(`select count(*) from api.${name}`)).toEqual([`${days.at(-1)?.length}`]);
          const broken = 'select from sync.source where coalesce(view_error, learn_error) is not null';
          expect(await rows(broken)).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });
});
