// What was sent, or waits to be, and names a client: questions are not sent any more, visits of hosts that bear the name go,
// other texts lose it.
import { type RawBuilder, sql } from 'kysely';
import type { ForgottenClient } from './block-client.ts';
import type { Counting } from './counted.ts';

/** @param without the text of a column without the client, as jsonb */
export async function forgetWrites(
  counting: Counting,
  { account }: ForgottenClient,
  without: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const text = sql`q.text`;
  const names = sql`q.account = ${account} and q.text is not null and ${without(text)} <> to_jsonb(${text})`;
  await counting.run(
    'sync.question',
    sql`delete from sync.question as q where ${names} and q.sent_at is null`,
  );
  await counting.run('sync.question', sql`update sync.question as q set text = null where ${names}`);
  const namesClient = (host: RawBuilder<unknown>) => sql`${without(host)} <> to_jsonb(${host})`;
  await counting.run(
    'sync.crawler_visit',
    sql`delete from sync.crawler_visit as v where v.account = ${account} and ${namesClient(sql`v.host`)}`,
  );
  await counting.run(
    'sync.write (visits)',
    sql`update sync.write as w set visits = (
        select jsonb_agg(v) from jsonb_array_elements(w.visits) as v where not (${namesClient(sql`(v ->> 'host')`)})
      )
      where w.account = ${account} and exists (
        select from jsonb_array_elements(w.visits) as v where ${namesClient(sql`(v ->> 'host')`)}
      )`,
  );
  // A request without a question is nothing to send, nor to decide on.
  await counting.run(
    'sync.write (skipped_at)',
    sql`update sync.write as w set skipped_at = now()
      where w.account = ${account} and w.kind = 'questions' and w.status in ('planned', 'refused', 'unknown')
        and w.skipped_at is null and not exists (
          select from sync.question as q where q.account = w.account and q.write_id = w.id and q.text is not null
        )`,
  );
}
