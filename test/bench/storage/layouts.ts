// The same history in three layouts: versions as publishing writes them, a row for each record and date, and
// payloads stored once by their content with a row for each record and date that names one.
import type pg from 'pg';

export interface Size {
  readonly layout: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

const versions = { name: 'versions', tables: ['snapshot.products'] };
const copies = { name: 'a row a record and date', tables: ['bench.copy'] };
const addressed = { name: 'content-addressed payloads', tables: ['bench.payload', 'bench.reference'] };

/** Makes both other layouts from the versions, and measures all three as they lie on disc. */
export async function measureLayouts(pool: pg.Pool): Promise<Size[]> {
  await pool.query('drop schema if exists bench cascade');
  const history = `snapshot.products r join (select distinct account, client_id, run_date from sync.slice
    where stream = 'products' and completed_at is not null) s
    on s.account = r.account and s.client_id = r.client_id and r.run_date <= s.run_date and s.run_date < r.until`;
  for (const statement of [
    'create schema bench',
    `create table bench.copy (account text not null, client_id text not null, record_key text not null, run_date date not null,
      payload jsonb not null, primary key (account, client_id, record_key, run_date))`,
    'create table bench.payload (hash bytea primary key, payload jsonb not null)',
    `create table bench.reference (account text not null, client_id text not null, record_key text not null, run_date date not null,
      hash bytea not null, primary key (account, client_id, record_key, run_date))`,
    // By date, as days come.
    `insert into bench.copy select r.account, r.client_id, r.record_key, s.run_date, r.payload from ${history} order by s.run_date`,
    'insert into bench.payload select hash, payload from snapshot.products order by run_date on conflict do nothing',
    `insert into bench.reference select r.account, r.client_id, r.record_key, s.run_date, r.hash from ${history} order by s.run_date`,
    'vacuum analyze snapshot.products, bench.copy, bench.payload, bench.reference',
  ]) {
    await pool.query(statement);
  }
  const sizes: Size[] = [];
  for (const { name, tables } of [versions, copies, addressed]) {
    const { rows } = await pool.query<{ rows: number; table: number; index: number }>(
      `select (select sum(n)::bigint from unnest($2::bigint[]) as n) as rows, sum(pg_table_size(t::regclass))::bigint as table,
        sum(pg_indexes_size(t::regclass))::bigint as index from unnest($1::text[]) as t`,
      [tables, await counts(pool, tables)],
    );
    const [size] = rows;
    sizes.push({
      layout: name,
      rows: Number(size?.rows),
      tableBytes: Number(size?.table),
      indexBytes: Number(size?.index),
    });
  }
  return sizes;
}

async function counts(pool: pg.Pool, tables: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const table of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*) as count from ${table}`);
    found.push(Number(rows[0]?.count));
  }
  return found;
}
