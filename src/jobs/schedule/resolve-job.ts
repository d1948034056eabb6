// What a job means under a configuration: its actual accounts, streams and clients.

import type { AccountConfig, Config } from '../../config/config.ts';
import { namePattern } from '../../core/text.ts';
import { tagsOf } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Job, SyncJob } from '../define-job.ts';
import { isSyncJob } from './is-sync-job.ts';

export interface JobScope {
  readonly accounts: readonly AccountConfig[];
  readonly streams: readonly Stream[];
  readonly clientsStream: Stream | undefined;
  readonly clientIds: readonly string[] | undefined;
  /** Of the known clients only those, and not the account itself. */
  readonly clientFits: ((clientId: string) => boolean) | undefined;
}

export function resolveJob(job: SyncJob, config: Config, streams: readonly Stream[]): JobScope {
  const { accounts, clients } = job;
  return {
    accounts: Array.isArray(accounts)
      ? config.accounts.filter((account) => accounts.includes(account.name))
      : config.accounts,
    streams: streams.filter((stream) => takesStream(job, stream)),
    clientsStream: streams.find((stream) => stream.name === 'clientes'),
    clientIds: Array.isArray(clients) ? clients : undefined,
    clientFits: patternOf(clients),
  };
}

/** A job of another kind takes none. */
export function takesStream(job: Job, stream: Stream): boolean {
  if (!isSyncJob(job)) return false;
  const { streams } = job;
  if (streams === undefined || streams === 'all') return true;
  if (!('tags' in streams)) return streams.includes(stream.name);
  const tags = tagsOf(stream);
  return streams.tags.some((tag) => tags.includes(tag));
}

/** Of clients that are named by a pattern; undefined: they are not. */
export function patternOf(clients: SyncJob['clients']): JobScope['clientFits'] {
  if (typeof clients !== 'object' || !('matching' in clients)) return undefined;
  return namePattern(clients.matching);
}
