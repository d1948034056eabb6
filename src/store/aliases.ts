// Names that accounts had before they were renamed. A configuration that still says one would begin a second history,
// and bring clients back that were forgotten, so whoever walks or writes for an account asks here first.
import { sql } from 'kysely';
import { ConfigError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { lockKeys } from '../db/lock-keys.ts';

/** SQL, until the end of the transaction. */
export const sharedAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock_shared(${lockKeys('account', account)})`;

/** SQL, in an order, so that nobody who renames two waits for one who waits for him. */
const sharedAccountLocks = (accounts: readonly string[]) => sql`
  select pg_advisory_xact_lock_shared(${lockKeys('account', sql`account`)})
  from (select account from unnest(${[...accounts]}::text[]) as a (account) order by account collate "C") as ordered`;

/** SQL, until the end of the transaction. Waits for those who plan, and lets others wait. */
export const wholeAccountLock = (account: string) =>
  sql`pg_advisory_xact_lock(${lockKeys('account', account)})`;

interface Alias {
  readonly name: string;
  readonly to: string;
  readonly on: string;
}

/** An account as the configuration names it. */
interface NamedAccount {
  readonly name: string;
  /** Where, as `accounts[0].name of airank.config.yaml`; undefined: nowhere, it is the environment's only one. */
  readonly namedIn?: string;
}

/** Those that no other account may have; none where the schema is older. */
export async function readAliases(db: Executor): Promise<readonly Alias[]> {
  const known = await sql<{ is_there: boolean }>`
    select to_regclass('sync.former_name') is not null as is_there`.execute(db);
  if (known.rows[0]?.is_there !== true) return [];
  const { rows } = await sql<Alias>`
    select name, renamed_to as to, to_char(renamed_at at time zone 'UTC', 'YYYY-MM-DD') as on
    from sync.former_name where released_at is null order by name`.execute(db);
  return rows;
}

export interface RenamedAccount extends Alias {
  readonly namedIn: string | undefined;
}

/** Accounts of the configuration that have another name in the warehouse. */
export async function findRenamed(
  db: Executor,
  accounts: readonly NamedAccount[],
): Promise<readonly RenamedAccount[]> {
  const aliases = new Map((await readAliases(db)).map((one) => [one.name, one]));
  return accounts.flatMap(({ name, namedIn }) => {
    const found = aliases.get(name);
    return found === undefined ? [] : [{ ...found, namedIn }];
  });
}

export function renamedText({ name, to, on }: Alias): string {
  return `Account ${name} was renamed to ${to} on ${on}`;
}

export function renamedFix({ name, to, namedIn }: RenamedAccount): string {
  const write =
    namedIn === undefined
      ? `give it the name ${to} in accounts of airank.config.yaml`
      : `write ${to} in ${namedIn}`;
  return `${write} (or take the name back: airank rename account ${to} ${name})`;
}

/** @throws ConfigError where the configuration has names of before */
export async function refuseRenamed(db: Executor, accounts: readonly NamedAccount[]): Promise<void> {
  const renamed = await findRenamed(db, accounts);
  if (renamed.length === 0) return;
  throw new ConfigError(renamed.map((one) => `${renamedText(one)}: ${renamedFix(one)}`));
}

/**
 * The same in a transaction, at the end of which nobody can have renamed them.
 * @throws ConfigError
 */
export async function holdNames(tx: Executor, names: readonly string[]): Promise<void> {
  await sharedAccountLocks(names).execute(tx);
  await refuseRenamed(
    tx,
    names.map((name) => ({ name })),
  );
}
