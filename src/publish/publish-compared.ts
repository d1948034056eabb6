// Compares the records of a slice with what is stored of its scope, and asks for proof before closing much.
import { sql } from 'kysely';
import { SkippableError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { versionSql } from '../mapping/version-sql.ts';
import { dropShifted, fillIncoming, settleKeys } from '../store/pages/incoming.ts';
import type { Scope, VersionScope } from '../store/slices/slices.ts';
import { type Judged, judgeLoss, keepRecords } from '../validation/judge-loss.ts';
import type { OpenedPublish } from './open-publish.ts';
import type { PublishInput } from './publish-input.ts';
import type { MappedTable } from './tables/typed-tables.ts';
import { type Applied, applyVersions } from './versions.ts';

/** Works on the connection's incoming records before their keys are settled. */
async function dropForgotten(
  tx: Executor,
  { stream, account }: Scope,
  tables: readonly MappedTable[],
): Promise<void> {
  if (stream === 'clientes') {
    await sql`
      delete from pg_temp.incoming as i
      where i.stream = ${stream} and sync.is_forgotten(${account}, i.record_key)`.execute(tx);
  }
  const field = stream === 'clientes' ? 'id' : 'client';
  for (const { source, mapping, isShadow } of tables) {
    if (isShadow || source.envelope || source.rows !== undefined) continue;
    const only = mapping?.filter((one) => one.field === field && one.path !== null) ?? [];
    if (only.length === 0) continue;
    const { items } = versionSql(source, only);
    await sql`
      delete from pg_temp.incoming as i
      where i.stream = ${stream} and exists (
        select from (select i.payload, '' as client_id) as r ${sql.raw(items.join(' '))}
        where sync.is_forgotten(${account}, coalesce(x.${sql.id(field)}, ''))
      )`.execute(tx);
  }
}

export interface Records extends Judged {
  readonly applied: Applied;
  readonly keyConflicts: number;
  readonly failure: string | undefined;
}

/**
 * Turns the records of the stored pages into versions.
 * @throws ValidationError when so much is missing that it needs proof
 * @throws UnconfirmedLossError when the list is to be walked again first
 * @throws SkippableError when an incremental refresh cannot tell its records apart
 */
export async function publishCompared(
  tx: Executor,
  input: PublishInput,
  { scope, again, leavesClientsOut, tables, count: pages }: OpenedPublish,
): Promise<Records> {
  const isIncremental = input.archive?.isIncremental === true;
  const records = await fillIncoming(tx, input, input.key);
  if (leavesClientsOut) await dropForgotten(tx, scope, tables);
  if (input.storesOnceBut !== undefined) await dropShifted(tx, input, input.storesOnceBut);
  const keyConflicts = await settleKeys(tx, input.key, records);
  if (isIncremental && (again || keyConflicts > 0)) throw notCarried(scope, again, keyConflicts);
  const failure = await input.carry?.(tx);
  const change = { ...scope, again, onlyKey: undefined, leaveRest: isIncremental };
  return { ...(await applyProved(tx, change, input, pages)), keyConflicts, failure };
}

/** Turns the incoming records into versions, unless so many stored ones are missing that it needs proof. */
async function applyProved(
  tx: Executor,
  change: VersionScope & {
    readonly again: boolean;
    readonly onlyKey: undefined;
    readonly leaveRest: boolean;
  },
  { key, loss: rule }: PublishInput,
  pages: number,
): Promise<Judged & { applied: Applied }> {
  if (rule === undefined || change.leaveRest)
    return { applied: await applyVersions(tx, change), warning: undefined, kept: [] };
  const judged = await judgeLoss(tx, { scope: change, rule, pages, key });
  if (judged.kept.length > 0) await keepRecords(tx, change, judged.kept);
  return { ...judged, applied: await applyVersions(tx, change) };
}

function notCarried({ stream, account, clientId }: Scope, again: boolean, conflicts: number): SkippableError {
  const expected = again
    ? 'a run date that is not published yet'
    : 'every record once, under a key of its own';
  const got = again ? 'one that is' : `${conflicts} records whose key is missing or repeated`;
  return new SkippableError(
    `Expected an incremental refresh to find ${expected}, got ${got}. Nothing was published. Run: airank sync --again --walk full --streams ${stream}`,
    { account, stream, clientId },
  );
}
