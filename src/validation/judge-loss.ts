// Vanishing needs proof: decides which of the records that its walk did not find a publish may close.

import { sql } from 'kysely';
import { datesToConfirm, minutesBetweenLooks, ValidationError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { keyExpression, type RecordKey, shortened } from '../store/pages/incoming.ts';
import { ofScope, type Scope, type VersionScope } from '../store/slices/slices.ts';
import { judgeKeys } from './judge-keys.ts';
import {
  confirms,
  type EarlierLoss,
  isLarge,
  isUsual,
  type LossFacts,
  needsLaterDate,
  notLackedBefore,
} from './vanish-rule.ts';

export interface LossRule {
  readonly thresholds: { readonly records: number; readonly percent: number };
  readonly isArchive: boolean;
  readonly isClients: boolean;
  readonly isAccepted: boolean;
  /** Keys that the walk just before this one lacked; undefined for the first walk. */
  readonly lackedBefore: readonly string[] | undefined;
  /** Reserves requests for a second walk of this many pages; false if too few remain. */
  mayWalkAgain(pages: number): boolean;
}

/** Records are missing that a second walk may find. Nothing is published. */
export class UnconfirmedLossError extends Error {
  readonly lacking: readonly string[];

  constructor(lacking: readonly string[]) {
    super(`${lacking.length} published records are missing from a first walk`);
    this.lacking = lacking;
  }
}

interface LossInput {
  readonly scope: VersionScope;
  readonly rule: LossRule;
  readonly pages: number;
  /** [] if the content is the identity. */
  readonly key: RecordKey;
}

interface Judging extends LossInput {
  readonly isByContent: boolean;
}

type EarlierWalk = EarlierLoss & { readonly failedRule: string | null };

/** Number of past full refreshes that show which losses are usual. */
const recentWalks = 10;

/** If this many slices lose records on one run date, assume one fault. Fewer are enough for empty lists. */
const slicesOfOneFault = 3;
const emptySlicesOfOneFault = 2;

export interface Judged {
  /** Keys of records that stay as they are until another walk lacks them too; the others end. */
  readonly kept: readonly string[];
  readonly warning: string | undefined;
}

const allEnd: Judged = { kept: [], warning: undefined };

/**
 * Looks at the incoming records before they become versions.
 * @throws ValidationError when the loss needs proof that is not there
 * @throws UnconfirmedLossError when the list is to be walked again first
 */
export async function judgeLoss(tx: Executor, input: LossInput): Promise<Judged> {
  const { scope, rule, key } = input;
  const { stored, found, lacking, renamed } = await readLoss(tx, scope, key);
  // Stored under their content or an earlier key, so it cannot be told which of them are missing.
  const isByContent = renamed * 2 > lacking.length;
  const lost = isByContent ? stored - found : lacking.length;
  const facts: LossFacts = { stored, found, lost, thresholds: rule.thresholds };
  if (rule.isAccepted || lost <= 0) return allEnd;
  const judging = { ...input, isByContent };
  if (!isByContent) await judgeKeys(tx, scope, key, { found, fresh: found - stored + lacking.length });
  if (rule.isClients) return await judgeClients(tx, judging, facts, lacking);
  if (!isLarge(facts) || isUsual(facts, await recentLosses(tx, scope)))
    return { kept: await unconfirmed(tx, judging, facts, lacking), warning: undefined };
  const walks = await walksBefore(tx, scope);
  const other = walks.findIndex(({ failedRule }) => failedRule !== 'vanished');
  const losses = other === -1 ? walks : walks.slice(0, other);
  const waits = needsLaterDate(facts, rule.isArchive) || (await isOneFault(tx, scope, facts));
  const [newest] = losses;
  const now = { runDate: scope.runDate, lacking, found, isByContent, needsLaterDate: waits };
  const text = missingText(facts);
  if (newest !== undefined && confirms(newest, now)) {
    const kept = isByContent ? [] : notLackedBefore(newest.lacking, lacking);
    if (!isLarge({ ...facts, lost: kept.length })) return { kept, warning: undefined };
  }
  const earlier = new Set(losses.map(({ runDate }) => runDate));
  earlier.delete(scope.runDate);
  if (earlier.size >= datesToConfirm - 1)
    return { kept: [], warning: `${text} on ${datesToConfirm} run dates, so their end is published` };
  throw unproven(
    scope,
    facts,
    lacking,
    waits ? laterDate : `a second look ${minutesBetweenLooks} minutes later`,
  );
}

const laterDate = 'a later run date';

/**
 * Keeps what a list of several pages, or an empty one, lacks until a second walk lacks it too, in this run or the next
 * full one. Records that are deleted or sorted anew during a walk push others across a page boundary.
 */
async function unconfirmed(
  tx: Executor,
  { scope, rule, pages, isByContent }: Judging,
  { found }: LossFacts,
  lacking: readonly string[],
): Promise<readonly string[]> {
  if (found > 0 && (isByContent || pages < 2)) return [];
  if (rule.lackedBefore !== undefined) return notLackedBefore(rule.lackedBefore, lacking);
  const [last] = await walksBefore(tx, scope, 'published too');
  const kept = notLackedBefore(last?.lacking ?? [], lacking);
  if (kept.length > 0 && rule.mayWalkAgain(pages)) throw new UnconfirmedLossError(lacking);
  return kept;
}

/**
 * Ends a client only when the lists of two run dates lack it, each confirmed by a second answer, so that one false
 * answer ends nobody. It stays as long as an identifier comes that is spelled alike.
 */
async function judgeClients(
  tx: Executor,
  { scope, isByContent }: Judging,
  facts: LossFacts,
  lacking: readonly string[],
): Promise<Judged> {
  const walks = await walksBefore(tx, scope);
  const earlier = walks.find(({ runDate }) => runDate < scope.runDate);
  const today = walks.find(({ runDate }) => runDate === scope.runDate);
  const now = { runDate: scope.runDate, lacking, found: facts.found, isByContent, needsLaterDate: true };
  if (isByContent && earlier?.failedRule === 'vanished' && confirms(earlier, now)) return allEnd;
  if (today?.failedRule !== 'vanished') throw unproven(scope, facts, lacking, 'a second answer');
  const [before, first] = [new Set(earlier?.lacking), new Set(today.lacking)];
  const kept = isByContent ? lacking : lacking.filter((key) => !before.has(key) || !first.has(key));
  if (kept.length === 0) return allEnd;
  if (isByContent || (await haveTwins(tx, scope, kept))) throw unproven(scope, facts, lacking, laterDate);
  const who = kept.length === 1 ? `Client ${kept[0]} is` : `Clients ${kept.toSorted().join(', ')} are`;
  const whose = kept.length === 1 ? 'its records' : 'their records';
  return {
    kept,
    warning: `${who} not in the list of ${scope.runDate}: ${whose} end if the list of a later run date says the same`,
  };
}

function missingText({ stored, lost }: LossFacts): string {
  return `${lost} of ${stored} published records are gone`;
}

function unproven(
  scope: VersionScope,
  facts: LossFacts,
  lacking: readonly string[],
  proof: string,
): ValidationError {
  return new ValidationError(
    `Expected the ${facts.stored} published records, got ${facts.found}: ${missingText(facts)}. Nothing was published. ` +
      `The loss is published when ${proof} finds it too, or now with: airank sync --accept-vanished ${scope.stream}`,
    { rule: 'vanished', lacking, found: facts.found },
    { account: scope.account, stream: scope.stream, clientId: scope.clientId },
  );
}

export async function keepRecords(tx: Executor, scope: Scope, keys: readonly string[]): Promise<void> {
  await sql`
    insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
    select r.stream, r.record_key, true, r.hash, r.payload
    from snapshot.record r
    where r.stream = ${scope.stream} and r.account = ${scope.account} and r.client_id = ${scope.clientId}
      and r.until = 'infinity' and r.record_key = any(${[...keys]}::text[])`.execute(tx);
}

interface FoundLoss {
  readonly stored: number;
  readonly found: number;
  readonly lacking: readonly string[];
  /** Missing records that were stored under another key than today's rule gives them. */
  readonly renamed: number;
}

/**
 * Compares the incoming records with those published now, which an earlier publish of this run date may have written.
 */
async function readLoss(tx: Executor, scope: VersionScope, key: RecordKey): Promise<FoundLoss> {
  const result = await sql<FoundLoss>`
    select count(*) as stored,
      coalesce(array_agg(r.record_key order by md5(r.record_key)) filter (where i.record_key is null), '{}') as lacking,
      count(*) filter (where i.record_key is null and r.record_key is distinct from ${shortened(keyExpression(key))}) as renamed,
      (select count(*) from pg_temp.incoming where stream = ${scope.stream}) as found
    from snapshot.record r cross join lateral (select r.payload as value) as e
    left join pg_temp.incoming i on i.stream = r.stream and i.record_key = r.record_key
    where r.stream = ${scope.stream} and r.account = ${scope.account} and r.client_id = ${scope.clientId}
      and r.until = 'infinity'`.execute(tx);
  return result.rows[0] ?? { stored: 0, found: 0, lacking: [], renamed: 0 };
}

const slicesOf = (tx: Executor, scope: VersionScope) =>
  tx.selectFrom('sync.slice').where(ofScope(scope)).orderBy('run_date', 'desc');

async function recentLosses(tx: Executor, scope: VersionScope): Promise<number[]> {
  const rows = await slicesOf(tx, scope)
    .select('vanished')
    .where('run_date', '<', scope.runDate)
    .where('completed_at', 'is not', null)
    .where('walk', '=', 'full')
    .limit(recentWalks)
    .execute();
  return rows.map((row) => row.vanished);
}

/** True if other slices of the account have an unconfirmed loss on this run date: then it is one fault. */
async function isOneFault(tx: Executor, scope: VersionScope, { found }: LossFacts): Promise<boolean> {
  const least = found === 0 ? emptySlicesOfOneFault : slicesOfOneFault;
  const others = await tx
    .selectFrom('sync.slice')
    .select('id')
    .where('account', '=', scope.account)
    .where('run_date', '=', scope.runDate)
    .where('failed_validations', '>', 0)
    // A slice whose records have come back since is published, and its rule is cleared.
    .where((eb) => eb.or([eb('failed_rule', '=', 'vanished'), eb('failed_rule', 'is', null)]))
    .where((eb) => eb.not(eb.and({ stream: scope.stream, client_id: scope.clientId })))
    .limit(least - 1)
    .execute();
  return others.length >= least - 1;
}

/** True if one of these clients came in under its identifier in other letters, blanks or invisible signs. */
async function haveTwins(tx: Executor, scope: VersionScope, keys: readonly string[]): Promise<boolean> {
  const result = await sql<{ twins: boolean }>`
    select exists (
      select from pg_temp.incoming i
      join unnest(${[...keys]}::text[]) as k (key) on ${spelling('k.key')} = ${spelling('i.record_key')}
      where i.stream = ${scope.stream}
    ) as twins`.execute(tx);
  return result.rows[0]?.twins === true;
}

const spelling = (key: string) =>
  sql`lower(normalize(regexp_replace(${sql.ref(key)}, '[\\s\\u00a0\\u00ad\\u2000-\\u200f\\u2028\\u2029\\u202f\\u2060\\ufeff]', '', 'g'), nfkc))`;

async function walksBefore(
  tx: Executor,
  scope: VersionScope,
  ofThisDate: 'refused' | 'published too' = 'refused',
): Promise<EarlierWalk[]> {
  return await slicesOf(tx, scope)
    .select([
      'run_date as runDate',
      'failed_rule as failedRule',
      'unpublished_records as found',
      sql<string[]>`coalesce(lacking, '{}')`.as('lacking'),
      sql<boolean>`coalesce(walked_at <= clock_timestamp() - make_interval(mins => ${minutesBetweenLooks}), false)`.as(
        'isOver',
      ),
    ])
    .where('run_date', '<=', scope.runDate)
    .where('walk', '=', 'full')
    .where((eb) =>
      eb.or([
        eb('failed_rule', 'is not', null),
        eb('completed_at', 'is not', null).and(
          'run_date',
          ofThisDate === 'refused' ? '<' : '<=',
          scope.runDate,
        ),
      ]),
    )
    .limit(datesToConfirm)
    .execute();
}
