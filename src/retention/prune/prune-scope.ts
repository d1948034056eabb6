// Prunes one scope in one transaction, under the lock that its publishes take. The dates are read under it: a publish
// before it only adds a date that stays, and one after it finds a scope like any other.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { scopeLocks } from '../../publish/tables/typed-tables.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { factDates } from './dated-facts.ts';
import { datesThatStay, type PruneRule } from './dates-that-stay.ts';
import { deriveAgain, measureTyped, thinTyped, typedTablesOf } from './thin-typed.ts';
import { applyThinned, createThinned, measureThinned, planThinned } from './thin-versions.ts';

export interface PrunedScope {
  /** Run dates that become gaps, and those that stay. */
  readonly dates: number;
  readonly stays: readonly string[];
  /** Versions and typed rows that go, with the space that they take. */
  readonly versions: number;
  readonly typedRows: number;
  readonly bytes: number;
}

export interface ScopeRule extends PruneRule {
  /** Dates that stay anywhere in the account: facts of these dates stay too. */
  readonly factDates: readonly string[];
  /** Nothing is changed. */
  readonly isDry: boolean;
}

/** Undefined: every date of it stays. */
export async function pruneScope(
  db: Executor,
  scope: Scope,
  rule: ScopeRule,
): Promise<PrunedScope | undefined> {
  return await db.transaction().execute(async (tx) => {
    await sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(tx);
    if (!rule.isDry) await sql`select ${scopeLocks(scope)}`.execute(tx);
    const complete = await completeDates(tx, scope);
    const picked = datesThatStay(complete, rule);
    if (picked.length === complete.length) return undefined;
    await createThinned(tx);
    const versions = [
      { ...scope, isEnvelope: false },
      { ...scope, isEnvelope: true },
    ];
    const plan = async (stays: readonly string[]) => {
      const edge = stays.find((date) => date >= rule.before) ?? stays.at(-1) ?? '';
      const upToEdge = stays.filter((date) => date <= edge);
      await sql`delete from pg_temp.thinned`.execute(tx);
      for (const one of versions) await planThinned(tx, one, upToEdge, edge);
      await sql`analyze pg_temp.thinned`.execute(tx);
    };
    await plan(picked);
    const more = await factDates(tx, scope, rule.factDates);
    const stays = complete.filter((date) => picked.includes(date) || more.includes(date));
    if (stays.length > picked.length) await plan(stays);
    const gone = complete.filter((date) => !stays.includes(date));
    if (gone.length === 0) return undefined;
    const tables = await typedTablesOf(tx, scope.stream);
    const counted = [];
    for (const one of versions) counted.push(await measureThinned(tx, one));
    const counts = [];
    for (const table of tables) counts.push(await measureTyped(tx, table, scope));
    if (!rule.isDry) {
      for (const one of versions) await applyThinned(tx, one);
      for (const table of tables) await thinTyped(tx, table, scope);
      const isEnvelopeThinned = (counted[1]?.touched ?? 0) > 0;
      for (const table of tables) await deriveAgain(tx, table, scope, isEnvelopeThinned);
      await markPruned(tx, scope, gone);
    }
    return {
      dates: gone.length,
      stays,
      versions: sum(counted.map(({ rows }) => rows)),
      typedRows: sum(counts.map(({ rows }) => rows)),
      bytes: sum([...counted, ...counts].map(({ bytes }) => bytes)),
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The oldest first. */
async function completeDates(db: Executor, { stream, account, clientId }: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('sync.slice')
    .select('run_date')
    .where('account', '=', account)
    .where('stream', '=', stream)
    .where('client_id', '=', clientId)
    .where('completed_at', 'is not', null)
    .orderBy('run_date')
    .execute();
  return rows.map((row) => row.run_date);
}

/** No sync takes them up again: they are older than the newest published date, and neither planned nor failed. */
async function markPruned(tx: Executor, scope: Scope, dates: readonly string[]): Promise<void> {
  await sql`
    update sync.slice set status = 'pruned', completed_at = null, updated_at = clock_timestamp()
    where account = ${scope.account} and stream = ${scope.stream} and client_id = ${scope.clientId}
      and run_date = any(${[...dates]}::date[]) and completed_at is not null`.execute(tx);
}
