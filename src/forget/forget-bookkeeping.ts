// Removes what the bookkeeping says of a client: alerts, notes, mails, plans and summaries of runs, writes,
// and examples that quote its values.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { Counting, type ForgottenClient, type TextPatterns } from './block-client.ts';

/** @param without makes SQL that takes the client out of a column's text; the result is jsonb */
async function forgetWrites(
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

/** Removes examples of fields and drift whose value is in a record of the client. Call it before the records go. */
export async function forgetExamples(
  db: Executor,
  client: ForgottenClient,
  { exact }: TextPatterns,
): Promise<void> {
  const { account, clientId } = client;
  await inTransaction(db, client, async (counting) => {
    for (const table of ['field', 'drift']) {
      await counting.run(
        `sync.${table} (example)`,
        sql`
          update ${sql.id('sync', table)} as f set example = null from sync.source as s
          where s.source = f.source and f.example is not null and exists (
            select from snapshot.record as r
            where r.account = ${account} and r.stream = case when s.envelope then 'envelope' else s.stream end
              and (r.client_id = ${clientId} or (r.stream = 'clientes' and r.record_key = ${clientId})
                or (r.client_id = '' and r.payload::text ~ ${exact}::text))
              and position(btrim(to_jsonb(f.example)::text, '"') in r.payload::text) > 0
          )`,
      );
    }
  });
}

/** Returns the tables with rows of clients, whichever release made them. The list of clients follows its records. */
async function tablesOfClients(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class as c
    where c.relnamespace = 'sync'::regnamespace and c.relkind = 'r' and c.relname <> 'client' and (
      select count(*) from pg_attribute as a where a.attrelid = c.oid and a.attname in ('account', 'client_id')
    ) = 2
    order by 1`.execute(db);
  return rows.map((row) => row.name);
}

export async function forgetBookkeeping(
  db: Executor,
  client: ForgottenClient,
  patterns: TextPatterns,
): Promise<void> {
  const { account, clientId } = client;
  const tables = await tablesOfClients(db);
  await inTransaction(db, client, async (counting) => {
    await counting.run(
      'sync.delivery',
      sql`delete from sync.delivery as t
        where t.account in (${account}, '') and case t.kind
          when 'alert' then exists (
            select from sync.alert as a where a.account = ${account} and a.client_id = ${clientId} and a.id::text = t.about
          )
          when 'incident' then t.about ~ ${patterns.exact}::text end`,
    );
    for (const table of tables) {
      const rows = sql`delete from ${sql.id('sync', table)} where account = ${account} and client_id = ${clientId}`;
      await counting.run(`sync.${table}`, rows);
    }
    await forgetPages(counting, client, patterns);
    await counting.run(
      'sync.slice (lacking)',
      sql`update sync.slice set lacking = array_remove(lacking, ${clientId})
        where account = ${account} and stream = 'clientes' and ${clientId} = any(lacking)`,
    );
    await counting.run(
      'sync.incident',
      sql`delete from sync.incident as t where ${ofIncident(account)} and t.cause ~ ${patterns.exact}::text`,
    );
    const exact = patterns.exact ?? `^(?:${clientId.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')})$`;
    await forgetSelections(counting, client);
    const without = (value: RawBuilder<unknown>) =>
      sql`sync.without_text(to_jsonb(${value}), ${exact}::text, ${patterns.loose}::text, null)`;
    await forgetWrites(counting, client, without);
    for (const { table, columns, where } of writtenTexts(account)) {
      for (const [column, type] of columns) {
        const text = without(sql`t.${sql.id(column)}`);
        const value = type === 'jsonb' ? text : sql`${text} #>> '{}'`;
        await counting.run(
          `sync.${table} (${column})`,
          sql`update ${sql.id('sync', table)} as t set ${sql.id(column)} = ${value}
            where ${where} and ${text} <> to_jsonb(t.${sql.id(column)})`,
        );
      }
    }
  });
}

/** Removes only the client's id: a queued batch goes on by the names of its jobs and accounts. */
async function forgetSelections(counting: Counting, { account, clientId }: ForgottenClient): Promise<void> {
  for (const path of ['{client_ids}', '{job,clients}']) {
    const ids = sql`t.selection #> ${path}::text[]`;
    await counting.run(
      'sync.batch (selection)',
      sql`update sync.batch as t set selection = jsonb_set(t.selection, ${path}::text[], (
          select jsonb_agg(case when id = ${clientId} then '[forgotten]' else id end order by place)
          from jsonb_array_elements_text(${ids}) with ordinality as e (id, place)
        ))
        where jsonb_typeof(${ids}) = 'array' and ${ids} ? ${clientId}
          and (jsonb_typeof(t.selection -> 'accounts') is distinct from 'array' or t.selection -> 'accounts' ? ${account})`,
    );
  }
}

interface Written {
  readonly table: string;
  readonly columns: readonly (readonly [string, 'jsonb' | 'text'])[];
  readonly where: RawBuilder<unknown>;
}

/** Another account may have a client of the same id. An incident without an account is about all of them. */
const ofIncident = (account: string) => sql`(t.account = ${account} or t.account is null)`;

/** Texts that the program writes about clients. */
const writtenTexts = (account: string): readonly Written[] => {
  const ofAccount = sql`t.account = ${account}`;
  const all = sql`true`;
  return [
    { table: 'batch', columns: [['summary', 'jsonb']], where: all },
    {
      table: 'run',
      columns: [
        ['plan', 'jsonb'],
        ['summary', 'jsonb'],
      ],
      where: ofAccount,
    },
    { table: 'slice', columns: [['error', 'text']], where: ofAccount },
    { table: 'refused_detail', columns: [['error', 'text']], where: ofAccount },
    {
      table: 'incident',
      columns: [
        ['message', 'text'],
        ['detail', 'text'],
      ],
      where: ofIncident(account),
    },
    { table: 'field', columns: [['example', 'text']], where: all },
    { table: 'drift', columns: [['example', 'text']], where: all },
    {
      table: 'write',
      columns: [
        ['subject', 'text'],
        ['answer', 'text'],
      ],
      where: ofAccount,
    },
    { table: 'write_source', columns: [['name', 'text']], where: ofAccount },
    { table: 'view_refresh', columns: [['result', 'jsonb']], where: all },
  ];
};

/** Removes pages of unfinished walks of the account's own slices: the next sync walks these from the start. */
async function forgetPages(
  counting: Counting,
  { account }: ForgottenClient,
  { exact, loose }: TextPatterns,
): Promise<void> {
  await counting.run(
    'sync.page',
    sql`delete from sync.page where account = ${account} and slice_id in (
      select s.id from sync.slice as s join sync.page as p on p.account = s.account and p.slice_id = s.id
      where s.account = ${account} and s.client_id = '' and not (s.status = 'walking' and coalesce(sync.run_is_alive(s.account, s.run_id), false))
        and (p.list::text ~ ${exact}::text or p.rest::text ~ ${exact}::text
          or p.list::text ~* ${loose}::text or p.rest::text ~* ${loose}::text)
    )`,
  );
}

async function inTransaction(
  db: Executor,
  client: ForgottenClient,
  work: (counting: Counting) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const counting = new Counting(tx);
    await work(counting);
    await counting.store(client);
  });
}
