// Whether what a mapping reads beside the list changed by a publish. Only rows that are derived from it ask: typed rows
// do not hold it.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { envelopeFields, selectEnvelope } from '../../mapping/envelope-sql.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapped.ts';
import type { VersionScope } from '../../store/slices/slices.ts';

/** @param again the run date was published before: what it said then is no longer known, so every change counts */
export async function hasEnvelopeChanged(
  tx: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
  { account, clientId, runDate, again }: VersionScope & { readonly again: boolean },
): Promise<boolean> {
  if (envelopeFields(source, mapping).length === 0) return false;
  const at = (until: string) => {
    const scope = { account: 's.account', clientId: 's.client_id', isValid: `r.until = ${until}` };
    return sql.raw(`(select to_jsonb(e) from (${selectEnvelope(source, mapping, scope)}) as e)`);
  };
  const { rows } = await sql<{ has_changed: boolean }>`
    select exists (select from pg_temp.touched where stream = 'envelope' and record_key = ${source.stream})
      and (${again} or ${at(`'infinity'`)} is distinct from ${at('s.run_date')}) as has_changed
    from (select ${account}::text as account, ${clientId}::text as client_id, ${runDate}::date as run_date) as s`.execute(
    tx,
  );
  return rows[0]?.has_changed === true;
}
