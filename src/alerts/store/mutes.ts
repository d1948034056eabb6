// sync.alert_mute: rules of which nobody is told for a while.
import type { Executor } from '../../db/database.ts';

export interface Mute {
  readonly account: string;
  readonly rule: string;
  /** Undefined: of no client of the account. */
  readonly clientId: string | undefined;
  /** From this date on people are told again; undefined: until it is taken back. */
  readonly until: string | undefined;
}

/** Those that hold on a date. */
export async function readMutes(db: Executor, today: string): Promise<readonly Mute[]> {
  const rows = await db
    .selectFrom('sync.alert_mute')
    .select(['account', 'rule', 'client_id', 'until_date'])
    .where(({ eb, or }) => or([eb('until_date', 'is', null), eb('until_date', '>', today)]))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    account: row.account,
    rule: row.rule,
    clientId: row.client_id ?? undefined,
    until: row.until_date ?? undefined,
  }));
}

export function isMuted(mutes: readonly Mute[], account: string, rule: string, clientId: string): boolean {
  return mutes.some(
    (mute) =>
      mute.account === account &&
      mute.rule === rule &&
      (mute.clientId === undefined || mute.clientId === clientId),
  );
}

/** In place of what was said before of the same rule and client. */
export async function mute(db: Executor, { account, rule, clientId, until }: Mute): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await unmute(tx, { account, rule, clientId });
    await tx
      .insertInto('sync.alert_mute')
      .values({ account, rule, client_id: clientId ?? null, until_date: until ?? null })
      .execute();
  });
}

/** False: it was not muted. */
export async function unmute(
  db: Executor,
  { account, rule, clientId }: Omit<Mute, 'until'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sync.alert_mute')
    .where('account', '=', account)
    .where('rule', '=', rule)
    .where('client_id', clientId === undefined ? 'is' : '=', clientId ?? null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
