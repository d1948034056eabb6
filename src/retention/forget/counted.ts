// Counts of what is deleted, by table, added up over attempts: an attempt that ended half-way counts.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { ForgottenClient } from './block-client.ts';

export type Counts = Readonly<Record<string, number>>;

/** Runs statements that delete or change rows, and notes how many by the name of their table. */
export class Counting {
  readonly #tx: Executor;
  readonly #counts = new Map<string, number>();

  constructor(tx: Executor) {
    this.#tx = tx;
  }

  async run(table: string, statement: RawBuilder<unknown>): Promise<number> {
    const result = await statement.execute(this.#tx);
    const rows = Number(result.numAffectedRows ?? 0);
    if (rows > 0) this.#counts.set(table, (this.#counts.get(table) ?? 0) + rows);
    return rows;
  }

  /** In the same transaction. */
  async store({ account, clientId }: ForgottenClient): Promise<void> {
    if (this.#counts.size === 0) return;
    const added = JSON.stringify(Object.fromEntries(this.#counts));
    await sql`
      update sync.forgotten as f set counts = f.counts || (
        select jsonb_object_agg(n.key, coalesce((f.counts ->> n.key)::bigint, 0) + n.value::bigint)
        from jsonb_each_text(${added}::jsonb) as n
      )
      where f.account = ${account} and f.client_hash = sync.client_mark(${clientId})`.execute(this.#tx);
  }
}
