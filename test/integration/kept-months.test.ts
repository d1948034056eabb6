// What the curated views keep by date: the month before the newest run date of each scope.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapField, parseFieldPlace } from '../../src/warehouse/bi/change-mapping.ts';
import { refreshKept } from '../../src/warehouse/bi/refresh-kept.ts';
import { refreshMapping } from '../../src/warehouse/bi/refresh-mapping.ts';
import { createDatabase, type Executor } from '../../src/warehouse/database.ts';
import { refreshViews } from '../../src/warehouse/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publish('first', '2027-01-01', [{ id: 1, precio: 1, otra: 2, cliente: 'c' }]);
  await refreshViews(db);
  await refreshMapping(db);
});

afterAll(async () => {
  await database.drop();
});

async function publish(account: string, runDate: string, records: readonly unknown[]): Promise<void> {
  await publishRecords(db, { stream: 'products', account, clientId: 'c', runDate, records });
}

const price = (precio: number) => [{ id: 1, precio }];

async function month(account: string): Promise<string[]> {
  return await list('bi_map.products_month', account, 'run_date, price');
}

async function list(from: string, account: string, columns: string, where = 'true'): Promise<string[]> {
  const { rows } = await database.pool.query<{ row: string }>(
    `select concat_ws(' ', ${columns}) as row from ${from} where account = $1 and ${where} order by 1`,
    [account],
  );
  return rows.map(({ row }) => row);
}

const shown = async (account: string) =>
  await list('bi.product_performance', account, 'run_date, price_amount, is_latest');

describe('the month before the newest run date', () => {
  it('holds its complete run dates, and lets older ones go', async () => {
    await publish('moves', '2027-01-01', price(1));
    await publish('moves', '2027-01-20', price(2));
    await publish('moves', '2027-02-19', price(3));
    await refreshKept(db);
    expect(await month('moves')).toEqual(['2027-01-20 2']);
    await publish('moves', '2027-02-20', price(4));
    await refreshKept(db);
    expect(await month('moves')).toEqual(['2027-02-19 3']);
    expect(await shown('moves')).toEqual([
      '2027-01-01 1 f',
      '2027-01-20 2 f',
      '2027-02-19 3 f',
      '2027-02-20 4 t',
    ]);
  });

  it('is read where the dates after it are not kept', async () => {
    await publish('behind', '2027-01-01', price(1));
    await publish('behind', '2027-01-02', price(2));
    await refreshKept(db);
    expect(await month('behind')).toEqual(['2027-01-01 1']);
    await publish('behind', '2027-01-03', price(3));
    await publish('behind', '2027-01-04', price(4));
    const expected = ['2027-01-01 1 f', '2027-01-02 2 f', '2027-01-03 3 f', '2027-01-04 4 t'];
    expect(await shown('behind')).toEqual(expected);
    await refreshKept(db);
    expect(await month('behind')).toEqual(['2027-01-01 1', '2027-01-02 2', '2027-01-03 3']);
    expect(await shown('behind')).toEqual(expected);
  });

  it('never holds the newest run date, which may be published again', async () => {
    await publish('again', '2027-01-01', price(1));
    await publish('again', '2027-01-02', price(2));
    await refreshKept(db);
    await publish('again', '2027-01-02', price(3));
    expect(await shown('again')).toEqual(['2027-01-01 1 f', '2027-01-02 3 t']);
    await refreshKept(db);
    expect(await month('again')).toEqual(['2027-01-01 1']);
    expect(await shown('again')).toEqual(['2027-01-01 1 f', '2027-01-02 3 t']);
  });

  it('says of records of a slice for the whole account whose they are', async () => {
    for (const [day, demand] of [1, 2].entries()) {
      await publishRecords(db, {
        stream: 'demand',
        account: 'wide',
        runDate: `2027-01-0${day + 1}`,
        records: [
          { id: 1, cliente: 'a', demanda: demand },
          { id: 2, cliente: 'b', demanda: demand },
        ],
      });
    }
    await refreshViews(db);
    await refreshMapping(db);
    await refreshKept(db);
    expect(await list('bi_map.demand_month', 'wide', 'run_date, client_id')).toHaveLength(2);
    const ofOne = await list('bi.prompt_demand', 'wide', 'run_date, demand_value', `client_id = 'b'`);
    expect(ofOne).toEqual(['2027-01-01 1', '2027-01-02 2']);
  });

  it('is made anew when a field is mapped to another', async () => {
    const record = (precio: number, otra: number) => [{ id: 1, precio, otra }];
    await publish('mapped', '2027-01-01', record(1, 11));
    await publish('mapped', '2027-01-02', record(2, 12));
    await refreshKept(db);
    await mapField(db, parseFieldPlace('products.price'), 'otra');
    await refreshMapping(db);
    expect(await month('mapped')).toEqual([]);
    const other = ['2027-01-01 11 f', '2027-01-02 12 t'];
    expect(await shown('mapped')).toEqual(other);
    await refreshKept(db);
    expect(await month('mapped')).toEqual(['2027-01-01 11']);
    expect(await shown('mapped')).toEqual(other);
    await mapField(db, parseFieldPlace('products.price'), undefined);
    await refreshMapping(db);
    await refreshKept(db);
    expect(await shown('mapped')).toEqual(['2027-01-01 1 f', '2027-01-02 2 t']);
  });

  it('is read by the new mapping also of a scope that is published while the mapping changes', async () => {
    await publishRecords(db, {
      stream: 'revenue',
      account: 'early',
      runDate: '2027-01-01',
      records: [{ canal: 'x', moneda: 'EUR', importe: 1, otra: 2 }],
      key: [],
    });
    await refreshViews(db);
    await refreshMapping(db);
    await refreshKept(db);
    const other = await database.pool.connect();
    const waiting = async () =>
      (await database.pool.query('select from pg_locks where not granted')).rowCount ?? 0;
    try {
      await other.query('begin');
      await other.query(`select from sync.newest where stream = 'revenue' for update`);
      const mapping = refreshMapping(db, { 'products.price': 'otra', 'revenue.amount': 'otra' });
      await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
      await publish('early', '2027-01-01', [{ id: 1, precio: 1, otra: 11 }]);
      const keeping = refreshKept(db);
      await expect.poll(waiting, { timeout: 20_000 }).toBe(2);
      await other.query('rollback');
      await Promise.all([mapping, keeping]);
    } finally {
      await other.query('rollback');
      other.release();
    }
    await refreshKept(db);
    expect(await list('bi_map.products_kept', 'early', 'price')).toEqual(['11']);
    expect(await shown('early')).toEqual(['2027-01-01 11 t']);
    await refreshMapping(db, {});
  });

  it('parts no revenue of a date into two rows where one slice is behind', async () => {
    const revenue = async (clientId: string, runDate: string, importe: number) => {
      const record = { canal: 'x', moneda: 'EUR', importe };
      const records = [clientId === '' ? { ...record, cliente: 'c' } : record];
      await publishRecords(db, { stream: 'revenue', account: 'both', clientId, runDate, records, key: [] });
    };
    for (const day of ['2027-01-01', '2027-01-02']) {
      await revenue('', day, 1);
      await revenue('c', day, 10);
    }
    await refreshViews(db);
    await refreshMapping(db);
    await refreshKept(db);
    await revenue('c', '2027-01-03', 10);
    await refreshKept(db);
    await revenue('', '2027-01-03', 1);
    const rows = await list('bi.revenue_by_currency', 'both', 'run_date, revenue_amount, is_latest');
    expect(rows).toEqual(['2027-01-01 11 f', '2027-01-02 11 f', '2027-01-03 11 t']);
  });
});
