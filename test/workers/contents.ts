// Hashes what a warehouse holds, one hash a stream of an account: equal hashes are equal data.
import type pg from 'pg';

/** Hash of all rows by `account stream`. The run date is no part of it, so that midnight may come between two warehouses. */
export async function readContents(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ name: string; hash: string }>(`
    select account || ' ' || stream as name, count(*) || ' ' || md5(string_agg(
      concat_ws(' ', client_id, record_key, until, payload::text), e'\\n'
      order by client_id collate "C", record_key collate "C", until, payload::text collate "C")) as hash
    from snapshot.record group by account, stream`);
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** Lists where two warehouses differ; none: they hold the same. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names]
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => `${name}: ${one.get(name) ?? 'nothing'}, not ${other.get(name) ?? 'nothing'}`);
}
