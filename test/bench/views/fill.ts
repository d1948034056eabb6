// Writes the generated warehouse as publishing would leave it: versions in the order of their dates, slices,
// the newest of each scope, and the fields learned from the records.
import type pg from 'pg';
import { createDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/install/migrate.ts';
import { refreshMapping } from '../../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../../src/publish/views/refresh-views.ts';
import { otherStreams, type WorldStream, worldEnvelopes, worldStreams } from './world.ts';

interface WorldSize {
  readonly clients: number;
  readonly days: number;
}

export const lastDay = '2025-12-31';
const firstDay = ({ days }: WorldSize) => `(date '${lastDay}' - ${days - 1})`;

const allStreams = [...worldStreams.map((one) => one.stream), ...otherStreams];

/** @param wanted streams; those that the database holds already stay as they are */
export async function fillWarehouse(
  pool: pg.Pool,
  size: WorldSize,
  log: (text: string) => void,
  wanted: readonly string[] = allStreams,
): Promise<void> {
  await migrate(pool, allStreams);
  const held = await pool.query<{ stream: string }>('select distinct stream from sync.newest');
  const isMissing = (stream: string) =>
    wanted.includes(stream) && !held.rows.some((row) => row.stream === stream);
  await pool.query('select setseed(0.5)');
  for (const stream of worldStreams.filter((one) => isMissing(one.stream))) {
    const begun = performance.now();
    const { rowCount } = await pool.query(versionsOf(stream, size));
    log(`  ${stream.stream}: ${rowCount} versions, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    await learn(pool, stream.stream, stream.stream, `snapshot."${stream.stream}"`);
  }
  for (const { stream, change, payload } of worldEnvelopes.filter((one) => isMissing(one.stream))) {
    await pool.query(`
      insert into snapshot.record (stream, account, client_id, record_key, run_date, until, hash, payload)
      select 'envelope', 'agency', '', '${stream}', d, coalesce(lead(d) over (order by d), 'infinity'),
        decode(md5(d::text), 'hex'), ${payload}
      from (select ${firstDay(size)} + i as d from generate_series(0, ${size.days - 1}) as i where i = 0 or random() < ${change}) as x`);
    await learn(pool, `${stream}_envelope`, 'envelope', `snapshot.envelope where record_key = '${stream}'`);
  }
  await fillSlices(pool, size, isMissing);
  await pool.query('vacuum (analyze)');
  const db = createDatabase(pool);
  const { failed } = await refreshViews(db);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  const begun = performance.now();
  await refreshMapping(db);
  log(`  typed rows: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  await pool.query('vacuum (analyze)');
}

function versionsOf({ stream, perClient, records, change, payload }: WorldStream, size: WorldSize): string {
  const from = firstDay(size);
  const starts =
    change === 'archive'
      ? // Newer records begin on their day; a tenth of a record a day is one every ten days.
        `select c, k::bigint, ${from} + i as d, null::date as until
         from generate_series(1, ${size.clients}) as c, generate_series(0, ${size.days - 1}) as i, generate_series(1, ceil(${records})::int) as k
         where ${records} >= 1 or random() < ${records}`
      : `select c, k, d, coalesce(lead(d) over (partition by c, k order by d), death) as until
         from (
           select c, k, ${from} + i as d, ${from} + death as death
           from (
             select c, k, case when random() < 0.7 or ${records} = 1 then 0 else (random() * ${size.days} * 0.9)::int end as birth,
               case when random() < 0.15 and ${records} > 1 then (${size.days} * (0.9 + 0.09 * random()))::int end as death
             from generate_series(1, ${size.clients}) as c, generate_series(1, ${records}) as k
           ) as record, generate_series(birth, coalesce(death, ${size.days}) - 1) as i
           where i = birth or random() < ${change}
         ) as version`;
  const key = change === 'archive' ? `c || '-' || d || '-' || k` : `c || '-' || k`;
  return `
    insert into snapshot.record (stream, account, client_id, record_key, run_date, until, hash, payload)
    select '${stream}', 'agency', ${perClient ? `'c' || c` : `''`}, ${key}, d, coalesce(until, 'infinity'),
      decode(md5(c || '-' || k || '-' || d), 'hex'), ${payload}
    from (select version.*, random() as r from (${starts}) as version) as x
    order by d, c, k`;
}

async function learn(pool: pg.Pool, source: string, stream: string, from: string): Promise<void> {
  await pool.query(
    `insert into sync.field_observation (source, stream, account, client_id, run_date, path, type, seen)
     select $1, $2, r.account, r.client_id, r.run_date, array(select jsonb_array_elements_text(f -> 'path')), f ->> 'type', (f ->> 'seen')::bigint
     from jsonb_array_elements(sync.paths_in($3, null, 4)) as f, (select account, client_id, run_date from ${from} limit 1) as r`,
    [source, stream, `(select payload from ${from} limit 500) as r`],
  );
}

async function fillSlices(
  pool: pg.Pool,
  size: WorldSize,
  isMissing: (stream: string) => boolean,
): Promise<void> {
  const perClient = worldStreams.filter((one) => one.perClient).map((one) => one.stream);
  const account = [...worldStreams.filter((one) => !one.perClient).map((one) => one.stream), ...otherStreams];
  const scopes = `
    select stream, 'agency' as account, 'c' || c as client_id from unnest($1::text[]) as stream, generate_series(1, ${size.clients}) as c
    union all select stream, 'agency', '' from unnest($2::text[]) as stream`;
  await pool.query(
    `insert into sync.slice (stream, account, client_id, run_date, status, records, pages, requests, completed_at, walked_at)
     select stream, account, client_id, d,
       case when failed then 'failed' else 'complete' end, 20, 1, 1,
       case when not failed then d + interval '6 hours' end, d + interval '6 hours'
     from (
       select scope.*, d::date as d, random() < 0.005 and d < date '${lastDay}' as failed
       from generate_series(${firstDay(size)}, date '${lastDay}', interval '1 day') as d, (${scopes}) as scope
     ) as x
     order by d`,
    [perClient.filter(isMissing), account.filter(isMissing)],
  );
  await pool.query(
    `update sync.slice as s set next_date = n.run_date
     from (
       select account, id, lead(run_date) over (partition by account, stream, client_id order by run_date) as run_date
       from sync.slice where completed_at is not null
     ) as n
     where n.account = s.account and n.id = s.id`,
  );
  await pool.query(
    `insert into sync.newest (stream, account, client_id, run_date, completed_at)
     select stream, account, client_id, run_date, completed_at from sync.slice where run_date = date '${lastDay}' and completed_at is not null
     on conflict do nothing`,
  );
}
