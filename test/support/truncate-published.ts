// Everything that publishing writes goes, typed rows with their versions: where a scope has no versions, a publish
// relies on it that it has no typed rows either.
import type pg from 'pg';

/** @param more tables beside them */
export async function truncatePublished(pool: pg.Pool, more: readonly string[] = []): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'typed'`,
  );
  const published = ['sync.slice', 'sync.page', 'sync.stream', 'snapshot.record'];
  const tables = [...published, ...rows.map(({ name }) => name), ...more];
  await pool.query(`truncate ${tables.join(', ')} cascade`);
}
