// Vanishing needs proof: whether this publish may close records that its walk did not find.

import { sql } from 'kysely';
import { datesToBelieve } from '../../core/dates-to-believe.ts';
import { DoubtError } from '../../core/errors.ts';
import type { Executor } from '../connection/database.ts';
import type { VersionScope } from '../slices/slices.ts';
import {
  confirms,
  type DoubtedLoss,
  isLarge,
  isUsual,
  type LossFacts,
  needsLaterDate,
} from './vanish-rule.ts';
import type { VersionCounts } from './versions.ts';

export interface LossRule {
  readonly thresholds: { readonly records: number; readonly percent: number };
  readonly isArchive: boolean;
  /** Any loss needs proof. */
  readonly isEveryLoss: boolean;
  /** Somebody confirmed the loss. */
  readonly isAccepted: boolean;
}

export interface LossInput {
  readonly scope: VersionScope & { readonly again: boolean };
  readonly rule: LossRule;
  /** Content is the identity. */
  readonly isByContent: boolean;
}

/** Full walks whose losses show what is usual. */
const recentWalks = 10;

/** What a run date that is published again holds now, before any of it is taken back. */
export async function lossBefore(tx: Executor, { scope, isByContent }: LossInput): Promise<Loss> {
  const result = await sql<Loss>`
    select count(*) as stored, count(*) filter (where i.record_key is null) as lost,
      (select count(*) from pg_temp.incoming where stream = ${scope.stream}) as found
    from snapshot.record r left join pg_temp.incoming i on i.stream = r.stream and i.record_key = r.record_key
    where r.stream = ${scope.stream} and r.account = ${scope.account} and r.client_id = ${scope.clientId}
      and r.until = 'infinity'`.execute(tx);
  const { stored = 0, lost = 0, found = 0 } = result.rows[0] ?? {};
  return { stored, found, lost: isByContent ? stored - found : lost };
}

export interface Loss {
  readonly stored: number;
  readonly lost: number;
  readonly found: number;
}

/** What a publish has closed. */
export function lossOf(counts: VersionCounts, isByContent: boolean): Loss {
  const stored = counts.unchanged + counts.changed + counts.vanished;
  return { stored, found: counts.records, lost: isByContent ? stored - counts.records : counts.vanished };
}

/**
 * Returns a notice when the server is believed for saying the same on three run dates.
 * @param isClosed this transaction has already closed the lost records
 * @throws DoubtError when the loss needs proof that is not there
 */
export async function judgeLoss(
  tx: Executor,
  input: LossInput,
  loss: Loss,
  isClosed: boolean,
): Promise<string | undefined> {
  const { scope, rule, isByContent } = input;
  const facts: LossFacts = { ...loss, thresholds: rule.thresholds, isEveryLoss: rule.isEveryLoss };
  if (rule.isAccepted || !isLarge(facts)) return undefined;
  if (isUsual(facts, await recentLosses(tx, scope))) return undefined;
  const lacking = await lackingKeys(tx, scope, isClosed);
  const doubts = await doubtsBefore(tx, scope);
  const waits = needsLaterDate(facts, rule.isArchive);
  const [newest] = doubts;
  const now = {
    runDate: scope.runDate,
    lacking: new Set(lacking),
    found: loss.found,
    isByContent,
    needsLaterDate: waits,
  };
  if (newest !== undefined && confirms(newest, now)) return undefined;
  const text = `${loss.lost} of ${loss.stored} published records are gone`;
  const earlier = new Set(doubts.map(({ runDate }) => runDate));
  earlier.delete(scope.runDate);
  if (earlier.size >= datesToBelieve - 1) return `${text}, on ${datesToBelieve} run dates: it is published`;
  throw new DoubtError(
    `Expected the ${loss.stored} published records or an explanation, got ${loss.found}: ${text}. Nothing was published; ` +
      `it is, once ${waits ? 'a walk of a later run date' : 'a second walk'} says the same, or with ` +
      `airank sync --accept-vanished ${scope.stream}`,
    { rule: 'vanished', lacking, needsLaterDate: waits, found: loss.found },
    { account: scope.account, stream: scope.stream, clientId: scope.clientId },
  );
}

const slicesOf = (tx: Executor, scope: VersionScope) =>
  tx
    .selectFrom('sync.slice')
    .where('stream', '=', scope.stream)
    .where('account', '=', scope.account)
    .where('client_id', '=', scope.clientId)
    .orderBy('run_date', 'desc');

async function recentLosses(tx: Executor, scope: VersionScope): Promise<number[]> {
  const rows = await slicesOf(tx, scope)
    .select('vanished')
    .where('run_date', '<', scope.runDate)
    // What a pruned date lost is as usual as before.
    .where((eb) => eb.or([eb('completed_at', 'is not', null), eb('status', '=', 'pruned')]))
    .where('walk', '=', 'full')
    .limit(recentWalks)
    .execute();
  return rows.map((row) => row.vanished);
}

/** In a fixed order, so that two walks give the same sample. */
async function lackingKeys(tx: Executor, scope: VersionScope, isClosed: boolean): Promise<string[]> {
  const until = isClosed ? sql`${scope.runDate}::date` : sql`'infinity'`;
  const result = await sql<{ record_key: string }>`
    select r.record_key from snapshot.record r
    where r.stream = ${scope.stream} and r.account = ${scope.account} and r.client_id = ${scope.clientId}
      and r.until = ${until}
      and not exists (select from pg_temp.incoming i where i.stream = r.stream and i.record_key = r.record_key)
    order by md5(r.record_key)`.execute(tx);
  return result.rows.map((row) => row.record_key);
}

/** Walks of this scope that were doubted for what they lacked, with nothing believed since; the newest first. */
async function doubtsBefore(tx: Executor, scope: VersionScope): Promise<DoubtedLoss[]> {
  const rows = await slicesOf(tx, scope)
    .select(['run_date', 'doubt', 'lacking', 'doubt_found'])
    .where('run_date', '<=', scope.runDate)
    .where((eb) =>
      eb.or([
        eb('doubt', 'is not', null),
        eb('completed_at', 'is not', null).and('run_date', '<', scope.runDate),
        eb('status', '=', 'pruned'),
      ]),
    )
    .limit(datesToBelieve)
    .execute();
  const other = rows.findIndex((row) => row.doubt !== 'vanished');
  const doubts = other === -1 ? rows : rows.slice(0, other);
  return doubts.map((row) => ({ runDate: row.run_date, lacking: row.lacking ?? [], found: row.doubt_found }));
}
