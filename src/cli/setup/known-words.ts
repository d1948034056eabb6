// Words for somebody who types: jobs, accounts and clients as settings, job files and warehouse have them now. Reads only,
// starts nothing, and knows nothing where something is wrong.

import type { KnownClient } from '../../alerts/store/notes.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { groupBy } from '../../core/group-by.ts';
import { isSyncJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { resolveStreams } from '../../streams/catalog.ts';
import type { Candidate, WordKind } from '../print/completion-words.ts';
import type { Terminal } from './context.ts';

export async function knownWords(
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
  kind: WordKind,
): Promise<readonly Candidate[]> {
  const config = loadConfig({ env, cwd, needAccounts: false });
  if (kind === 'job' || kind === 'sync-job') return await jobWords(config, kind === 'sync-job');
  const clients = await clientsOf(config).catch(() => []);
  return kind === 'account' || kind === 'accounts'
    ? accountWords(config, clients)
    : clientWords(clients, kind);
}

async function jobWords(config: Config, mustSync: boolean): Promise<readonly Candidate[]> {
  const jobs = await loadConfiguredJobs(config, resolveStreams(config));
  const those = mustSync ? jobs.filter(isSyncJob) : jobs;
  return those.map(({ name, description }) => ({ word: name, about: description }));
}

function accountWords(config: Config, clients: readonly KnownClient[]): readonly Candidate[] {
  const configured = config.accounts.map(({ name }) => name);
  const stored = clients.map(({ account }) => account).filter((name) => !configured.includes(name));
  return [
    ...configured.map((word) => ({ word, about: 'account' })),
    ...[...new Set(stored)].map((word) => ({ word, about: 'account, not in the settings' })),
  ];
}

function clientWords(all: readonly KnownClient[], kind: WordKind): readonly Candidate[] {
  const clients = all.filter(({ clientId }) => clientId !== '');
  const accountsOf = groupBy(clients, ({ clientId }) => clientId);
  const isShared = (id: string) => (accountsOf.get(id)?.length ?? 0) > 1;
  return clients.map(({ account, clientId, name, hasLeft }) => ({
    // Where one of several is asked for, the account says which.
    word: kind === 'client' && isShared(clientId) ? `${account}/${clientId}` : clientId,
    about: hasLeft ? `${name}, which has left` : name,
    ...(kind === 'client' && { name }),
  }));
}

/** What speaks to a database takes longer to read than all of the rest, and jobs do without it. */
async function clientsOf(config: Config): Promise<readonly KnownClient[]> {
  const { storedClients } = await import('./stored-clients.ts');
  return await storedClients(config);
}
