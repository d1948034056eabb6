// Runs a statement of sql/alerts: figures of clients as rules judge them. In a transaction that only reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { packageRoot } from '../../core/package.ts';

export interface FactScope {
  readonly account: string;
  /** '': the account itself. */
  readonly clients: readonly string[];
  /** What happened once is looked for from here on. */
  readonly since: string;
  /** Figures as they are on this date. */
  readonly date: string;
}

const types = { account: 'text', clients: 'text[]', since: 'date', date: 'date' } as const;
type Name = keyof typeof types;

/** `:account`, `:clients`, `:since` and `:date` of the file, numbered as they come. */
function factStatement(name: string, scope: FactScope): { text: string; values: unknown[] } {
  const used: Name[] = [];
  const file = readFileSync(join(packageRoot(), 'sql', 'alerts', `${name}.sql`), 'utf8');
  const text = file
    .replace(/^\s*--.*$/gm, '')
    .replace(/(?<!:):(account|clients|since|date)\b/g, (_, found: Name) => {
      if (!used.includes(found)) used.push(found);
      return `$${used.indexOf(found) + 1}::${types[found]}`;
    });
  return { text, values: used.map((one) => scope[one]) };
}

/** @param name of a file of sql/alerts */
export async function readFacts(
  pool: pg.Pool,
  name: string,
  scope: FactScope,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = await pool.connect();
  try {
    await client.query(
      `begin read only; set local jit = off; set local statement_timeout = '120s'; set local work_mem = '32MB'`,
    );
    const { rows } = await client.query<Record<string, unknown>>(factStatement(name, scope));
    await client.query('commit');
    client.release();
    return rows;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
