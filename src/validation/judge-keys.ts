// Records that came under other keys than yesterday: a server that gives new identifiers for the same records.
import { sql } from 'kysely';
import { ValidationError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import type { RecordKey } from '../store/pages/incoming.ts';
import { keyText } from '../store/pages/record-keys.ts';
import type { VersionScope } from '../store/slices/slices.ts';
import { evidentKeys } from '../streams/key-evidence.ts';

/** With fewer new records, the same content under another key may be another record. */
const fewestFresh = 3;
const sampleSize = 200;

/**
 * Judges incoming records most of which have a new key, where they are identified as the stored ones are.
 * @param found number of incoming records
 * @param fresh how many of these have a key that no published record has
 * @throws ValidationError when most of the new ones are published records but for their key
 */
export async function judgeKeys(
  tx: Executor,
  scope: VersionScope,
  key: RecordKey,
  { found, fresh }: { readonly found: number; readonly fresh: number },
): Promise<void> {
  if (fresh < fewestFresh || fresh * 2 <= found) return;
  const rest = (payload: string) =>
    key.reduce((left, path) => sql`${left} #- ${[...path]}::text[]`, sql.ref(payload));
  const result = await sql<{ again: number; sample: unknown[] }>`
    with stored as (
      select record_key, payload from snapshot.record
      where stream = ${scope.stream} and account = ${scope.account} and client_id = ${scope.clientId} and until = 'infinity'
    ), incoming as (
      select record_key, payload from pg_temp.incoming where stream = ${scope.stream} and keyed
    ), fresh as (
      select ${rest('i.payload')} as rest from incoming i
      where not exists (select from stored s where s.record_key = i.record_key)
    ), lacking as (
      select distinct ${rest('s.payload')} as rest from stored s
      where not exists (select from incoming i where i.record_key = s.record_key)
    )
    select count(distinct rest)::integer as again,
      coalesce((array_agg(rest))[:${sampleSize}::integer], '{}') as sample
    from fresh join lacking using (rest)`.execute(tx);
  const { again = 0, sample = [] } = result.rows[0] ?? {};
  if (again * 2 <= fresh) return;
  const { stream, account, clientId } = scope;
  throw new ValidationError(
    `Expected records to keep their key, got ${fresh} of ${found} with a new ${keyText(key)}, of which ${again} are otherwise unchanged. ` +
      `Nothing was published. If they are the same records, set in airank.config.yaml: streams.${stream}.keys: ${keysWithout(sample, stream)}. ` +
      `If they are new ones, run: airank sync --accept-vanished ${stream}`,
    { rule: 'new_keys', found },
    { account, stream, clientId },
  );
}

/** Returns what else could identify these records, as the configuration writes it; [] for their content. */
function keysWithout(records: readonly unknown[], stream: string): string {
  const key = evidentKeys(records, stream)[0]?.map((path) => path.join('.'));
  return JSON.stringify(key === undefined ? [] : key.length === 1 ? key : [key]);
}
