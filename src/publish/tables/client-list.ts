// Keeps sync.client, which every curated view joins for names, at what the sources that tell them say.
import { sql } from 'kysely';
import { ahead, type Executor } from '../../db/database.ts';
import { lockKeys } from '../../db/lock-keys.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import type { Scope } from '../../store/slices/slices.ts';

/** Sources that `sync.refresh_clients` reads. */
const told: ReadonlySet<string> = new Set(['clients', 'visibility_now', 'rank_now']);

const streams = new Set(logicalSources.filter(tellsClients).map(({ stream }) => stream));

export function tellsClients({ name }: LogicalSource): boolean {
  return told.has(name);
}

/** Follows a change of a scope's rows, also the first publish of an account; after all other locks. */
export async function noteClients(tx: Executor, { stream, account, clientId }: Scope): Promise<void> {
  const isTold = clientId === '' && streams.has(stream);
  await sql`
    select sync.refresh_clients(${account}) where ${isTold} or not exists (
      select from sync.client where account = ${account} and client_id = ''
    ) ${ahead}`.execute(tx);
}

/** Follows a change of an account's rows, or of the reading of all (null). */
export async function refreshClients(tx: Executor, account: string | null): Promise<void> {
  await sql`select sync.refresh_clients(${account})`.execute(tx);
}

/** Lets nobody read the sources until the end of the transaction. Comes before the locks of their views. */
export async function lockClients(tx: Executor): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'clients')})`.execute(tx);
}
