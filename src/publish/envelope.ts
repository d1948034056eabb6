// The envelope: what a slice's bodies hold beside the list and `paginacion`, as one record.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { hashOf } from '../store/pages/incoming.ts';
import { pagesOf, type SliceKey } from '../store/slices/slices.ts';

/**
 * Adds the envelope of a slice to the incoming records: the first value of each key in walk order.
 * Adds nothing when bodies hold nothing else, or are records themselves.
 * Returns in how many places a later page disagreed with the first.
 */
export async function fillEnvelope(
  tx: Executor,
  slice: SliceKey & { readonly stream: string },
): Promise<number> {
  const result = await sql<{ conflicts: number }>`
    with rest as (
      select p.page_no, e.key, e.value
      from sync.page p
      cross join lateral jsonb_each(p.rest) as e
      where ${pagesOf(slice)}
    ), first as (
      select distinct on (key) key, value from rest order by key, page_no
    ), envelope as (
      select jsonb_object_agg(key, value) as payload from first having count(*) > 0
    ), added as (
      insert into pg_temp.incoming (stream, record_key, keyed, hash, payload)
      select 'envelope', ${slice.stream}, true, ${hashOf(sql`payload`)}, payload
      from envelope
    )
    select count(*) as conflicts from rest join first using (key) where rest.value <> first.value`.execute(
    tx,
  );
  return Number(result.rows[0]?.conflicts ?? 0);
}
