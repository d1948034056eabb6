// Databases for cases: each a clone of one that was prepared once.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPool } from '../../src/db/pool.ts';
import { migrate } from '../../src/install/migrate.ts';
import { installQueue } from '../../src/queue/engine.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { cloneStrategyOf, withDatabase } from '../support/database-url.ts';

export interface Copy {
  readonly name: string;
  readonly url: string;
  readonly pool: pg.Pool;
  /** Ends the pool, and keeps the database to be cloned. */
  rest(): Promise<void>;
  drop(): Promise<void>;
}

export interface Copies {
  /** With the warehouse's schema and nothing in it. */
  readonly empty: string;
  clone(of: string): Promise<Copy>;
  /** Ends the connection, and keeps every database. */
  rest(): Promise<void>;
  dropAll(): Promise<void>;
}

/** @param template a database with the schema; made when there is none */
export async function createCopies(adminUrl: string, template?: string): Promise<Copies> {
  const prefix = `airank_torture_${randomBytes(3).toString('hex')}`;
  const made = new Set<string>();
  const admin = createPool({ connectionString: adminUrl, max: 2, applicationName: 'airank-torture' });
  const strategy = await cloneStrategyOf(adminUrl);
  let count = 0;

  const open = (name: string): Copy => {
    const url = withDatabase(adminUrl, name);
    const pool = createPool({ connectionString: url, max: 10, applicationName: 'airank-torture' });
    const rest = async () => {
      if (!pool.ended) await pool.end();
    };
    return {
      name,
      url,
      pool,
      rest,
      drop: async () => {
        await rest();
        await admin.query(`drop database if exists ${name} with (force)`);
        made.delete(name);
      },
    };
  };
  const create = async (of: string): Promise<Copy> => {
    count += 1;
    const name = `${prefix}_${count}`;
    await admin.query(`create database ${name} template ${pg.escapeIdentifier(of)} ${strategy}`);
    made.add(name);
    return open(name);
  };

  const empty = template ?? (await makeEmpty(create));
  return {
    empty,
    clone: create,
    rest: () => admin.end(),
    dropAll: async () => {
      for (const name of made) await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

async function makeEmpty(create: (of: string) => Promise<Copy>): Promise<string> {
  const copy = await create('template0');
  await migrate(
    copy.pool,
    catalog.map((stream) => stream.name),
  );
  await installQueue(copy.pool);
  await copy.rest();
  return copy.name;
}
