// Counts the blocks that statements read, in the cache or not: a figure that no clock and no load changes. By
// auto_explain, which watches statements as they run, prepared ones too; a role that is no superuser may not load it.
import pg from 'pg';
import { createPool } from '../../src/db/pool.ts';
import type { TestDatabase } from './test-database.ts';

interface Explained {
  readonly 'Query Text': string;
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

/** By the text of the statement; of one that ran several times, together. */
export type Blocks = ReadonlyMap<string, number>;

export interface CountedPool {
  readonly pool: pg.Pool;
  /** Returns the blocks that its statements read since the last call. */
  take(): Blocks;
}

const settings = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  client_min_messages: 'log',
  // Not into the server's log, too.
  log_min_messages: 'fatal',
};

/**
 * Opens a pool whose tables are not analysed from here on, as they are right after a first load. The caller ends it.
 */
export async function createCountedPool(database: TestDatabase): Promise<CountedPool> {
  await database.pool.query(`do $$
    declare name regclass;
    begin
      for name in
        select c.oid from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('snapshot', 'sync', 'typed')
      loop execute format('alter table %s set (autovacuum_enabled = false)', name); end loop;
    end $$`);
  const always = { session_preload_libraries: 'auto_explain', ...settings };
  const name = pg.escapeIdentifier(new URL(database.url).pathname.slice(1));
  for (const [setting, value] of Object.entries(always))
    await database.pool.query(`alter database ${name} set ${setting} = ${value}`);
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'airank-test' });
  let blocks = new Map<string, number>();
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? [];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as Explained;
      const read = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      blocks.set(text, (blocks.get(text) ?? 0) + read);
    });
  });
  return {
    pool,
    take: () => {
      const taken = blocks;
      blocks = new Map();
      return taken;
    },
  };
}
