// Records that came under other keys than yesterday: a server that gives new identifiers for the same records.
import { sql } from 'kysely';
import { ValidationError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { keyExpression, type RecordKey, shortened } from '../store/pages/incoming.ts';
import type { VersionScope } from '../store/slices/slices.ts';
import { evidentKeys } from '../streams/key-evidence.ts';

/** Of fewer records, the same content under another key may be another record. */
const fewestFresh = 3;
const sampleSize = 200;

/**
 * Looks at incoming records most of which have a new key.
 * @param found incoming records
 * @param fresh of these, with a key that no published record has
 * @throws ValidationError when most of the new ones are published records but for their key
 */
export async function judgeKeys(
  tx: Executor,
  scope: VersionScope,
  key: RecordKey,
  { found, fresh }: { readonly found: number; readonly fresh: number },
): Promise<void> {
  if (key.length === 0 || fresh < fewestFresh || fresh * 2 <= found) return;
  const rest = (payload: string) =>
    key.reduce((left, path) => sql`${left} #- ${[...path]}::text[]`, sql.ref(payload));
  const result = await sql<{ again: number; sample: unknown[] }>`
    with fresh as (
      select ${rest('i.payload')} as rest from pg_temp.incoming i
      where i.stream = ${scope.stream} and i.keyed and not exists (
        select from snapshot.record r
        where r.stream = i.stream and r.account = ${scope.account} and r.client_id = ${scope.clientId}
          and r.until = 'infinity' and r.record_key = i.record_key
      )
    ), lacking as (
      select distinct ${rest('r.payload')} as rest
      from snapshot.record r cross join lateral (select r.payload as value) as e
      where r.stream = ${scope.stream} and r.account = ${scope.account} and r.client_id = ${scope.clientId}
        and r.until = 'infinity' and r.record_key = ${shortened(keyExpression(key))}
        and not exists (select from pg_temp.incoming i where i.stream = r.stream and i.record_key = r.record_key)
    )
    select count(distinct rest)::integer as again,
      coalesce((array_agg(rest))[:${sampleSize}::integer], '{}') as sample
    from fresh join lacking using (rest)`.execute(tx);
  const { again = 0, sample = [] } = result.rows[0] ?? {};
  if (again * 2 <= fresh) return;
  const { stream, account, clientId } = scope;
  throw new ValidationError(
    `Expected records under the keys that they had, got ${fresh} of ${found} under a new ${nameOf(key)} while the rest of ${again} stayed equal; ` +
      `nothing was published and nothing ends. In airank.config.yaml: streams.${stream}.keys: ${keysWithout(sample, stream)}. ` +
      `If they are other records: airank sync --accept-vanished ${stream}`,
    { rule: 'new_keys', found },
    { account, stream, clientId },
  );
}

/** The keys of a record for people. */
export function nameOf(key: RecordKey): string {
  return key.length === 0 ? 'their content' : key.map((path) => path.join('.')).join(' and ');
}

/** As the configuration writes them: what else identifies these records, [] for their content. */
function keysWithout(records: readonly unknown[], stream: string): string {
  const key = evidentKeys(records, stream)[0]?.map((path) => path.join('.'));
  return JSON.stringify(key === undefined ? [] : key.length === 1 ? key : [key]);
}
