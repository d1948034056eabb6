// An account keeps its name for good. One without history may be another name of one that has some: a sync would begin
// a second history, and a second ledger on the same key.
import { sql } from 'kysely';
import type { AccountConfig, Config } from '../config/config.ts';
import { ConfigError } from '../core/errors.ts';
import { runDateIn } from '../core/run-date.ts';
import type { Executor } from '../db/database.ts';

/** Days. Older history under a name that is gone belongs to an account that left, if other accounts have newer. */
const recentDays = 30;

const mostNames = 5;

export interface RenamedAccount {
  readonly account: string;
  readonly text: string;
}

interface FoundName {
  readonly account: string;
  /** Accounts with history that the configuration does not name, newest first. */
  readonly others: readonly { readonly name: string; readonly until: string }[];
}

/** Finds the accounts without history to leave out, because an account that has history is not configured. */
export async function findRenamedAccounts(
  db: Executor,
  { accounts, timeZone }: Pick<Config, 'accounts' | 'timeZone'>,
  { asked, now }: { readonly asked: readonly string[]; readonly now: Date },
): Promise<readonly RenamedAccount[]> {
  const configured = accounts.map(({ name }) => name);
  // sync.newest begins with the account, so each name is one probe; no other names are read if all have history.
  const { rows } = await sql<FoundName>`
    with recursive fresh as (
      select a.account, a.place from unnest(${asked}::text[]) with ordinality as a (account, place)
      where not exists (select from sync.newest n where n.account = a.account)
        and not exists (select from sync.new_account w where w.account = a.account)
    ), known as (
      (select account from sync.newest where exists (select from fresh) order by account limit 1)
      union all
      select (select n.account from sync.newest n where n.account > k.account order by n.account limit 1)
      from known k where k.account is not null
    ), other as (
      select k.account as name, n.until
      from known k cross join lateral (select max(run_date) as until from sync.newest n where n.account = k.account) n
      where k.account <> all (${configured}::text[])
        and (n.until >= ${runDateIn(timeZone, now)}::date - ${recentDays}::integer
          or not exists (select from known c where c.account = any (${configured}::text[])))
    )
    select f.account, o.others from fresh f
    cross join (select jsonb_agg(to_jsonb(other) order by until desc, name) as others from other) as o
    where o.others is not null order by f.place`.execute(db);
  return rows.map((row) => ({ account: row.account, text: textOf(row, accounts) }));
}

function textOf({ account, others }: FoundName, accounts: readonly AccountConfig[]): string {
  const place = accounts.find(({ name }) => name === account)?.namedIn ?? 'accounts of airank.config.yaml';
  const shown = others.slice(0, mostNames);
  const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : '';
  return (
    `Account ${account} is left out: the warehouse has no history of it, but has one of ` +
    `${shown.map(({ name, until }) => `${name} (until ${until})`).join(', ')}${more}, which the configuration no longer names. ` +
    `If it was renamed, write ${shown.map(({ name }) => `name: ${name}`).join(' or ')} in ${place}; if ${account} is another ` +
    `account, run once: airank sync --new-account ${account}`
  );
}

/** Returns the accounts that may be walked. @throws ConfigError if none of them may */
export async function withoutRenamedAccounts(
  db: Executor,
  config: Pick<Config, 'accounts' | 'timeZone'>,
  { asked, now }: { readonly asked: readonly AccountConfig[]; readonly now: Date },
): Promise<{ readonly accounts: readonly AccountConfig[]; readonly leftOut: readonly RenamedAccount[] }> {
  const leftOut = await findRenamedAccounts(db, config, { asked: asked.map(({ name }) => name), now });
  const accounts = asked.filter(({ name }) => !leftOut.some(({ account }) => account === name));
  if (leftOut.length > 0 && accounts.length === 0) throw new ConfigError(leftOut.map(({ text }) => text));
  return { accounts, leftOut };
}

/** Lets the account be walked from here on, whatever other history there is. */
export async function noteNewAccount(db: Executor, account: string): Promise<void> {
  await db
    .insertInto('sync.new_account')
    .values({ account })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
