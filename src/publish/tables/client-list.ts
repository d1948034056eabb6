// Keeps sync.client, which every curated view joins for names, equal to what its sources say.
import { sql } from 'kysely';
import { ahead, type Executor } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import type { Scope } from '../../store/slices/slices.ts';

/** Sources that `sync.refresh_clients` reads. */
const sources: ReadonlySet<string> = new Set(['clients', 'visibility_now', 'rank_now']);

const streams = new Set(logicalSources.filter(tellsClients).map(({ stream }) => stream));

export function tellsClients({ name }: LogicalSource): boolean {
  return sources.has(name);
}

/** Refreshes the list at the end of a publish that may change it, or is the first of its account. */
export async function noteClients(tx: Executor, { stream, account, clientId }: Scope): Promise<void> {
  const isTold = clientId === '' && streams.has(stream);
  await sql`
    select sync.refresh_clients(${account}) where ${isTold} or not exists (
      select from sync.client where account = ${account} and client_id = ''
    ) ${ahead}`.execute(tx);
}

/** Refreshes the list of an account, or of all (null). */
export async function refreshClients(tx: Executor, account: string | null): Promise<void> {
  await sql`select sync.refresh_clients(${account})`.execute(tx);
}

/** Lets nobody else refresh the list until the end of the transaction. Call it before the sources' views are locked. */
export async function lockClients(tx: Executor): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'clients')})`.execute(tx);
}
