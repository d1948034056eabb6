// The dashboard as files in a folder: one for all, or one per client.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../../core/errors.ts';
import { hashText } from '../../../core/hash-text.ts';
import type { Language } from '../charts/chart.ts';
import type { PageScope } from '../page/page-data.ts';
import type { PageSource } from '../read/read-dashboard-page.ts';
import { readDates } from '../read/read-overview.ts';
import { fileScopes, mostClients, usualPeriod, writeDashboardFile } from './dashboard-file.ts';
import type { Assets } from './html-document.ts';

/**
 * Begins the name of a client's file, as `agency.c7`. No account and no id used unchanged has a dot, so `a-b` and `c`
 * do not collide with `a` and `b-c`. An id that is no file name, or differs from another only by letter case, gets a
 * hash of its own.
 */
export function clientFileName(account: string, id: string): string {
  const safe = id.replaceAll(/[^a-z0-9_-]+/gi, '-').slice(0, 60);
  const isPlain = safe === id && id === id.toLowerCase();
  return `${account}.${safe}${isPlain ? '' : `.${hashText(`${account}/${id}`).toString(36)}`}`;
}

interface DashboardsRequest {
  /** Absolute path. */
  readonly folder: string;
  /** Includes clients that left. */
  readonly scopes: readonly PageScope[];
  readonly isPerClient: boolean;
  readonly assets: Assets;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/**
 * `empty`: nothing of it is published yet, and no file is written; `removed`: the client left, and its file was
 * deleted.
 */
export interface WrittenDashboard {
  readonly file: string;
  /** Null if it has more than one client. */
  readonly clientKey: string | null;
  readonly state: 'written' | 'empty' | 'removed' | 'failed';
  /** The file says so in their place. */
  readonly failedCharts: readonly string[];
}

/**
 * Keeps each old file until the new one is whole. A file that fails leaves the others alone.
 * @throws ConfigError if only clients are chosen, and too many for one file
 */
export async function writeDashboards(
  source: PageSource,
  { folder, scopes, isPerClient, ...request }: DashboardsRequest,
): Promise<readonly WrittenDashboard[]> {
  const write = async (file: string, shown: readonly PageScope[], only?: PageScope) => {
    const begun = { file, clientKey: only?.clientKey ?? null, failedCharts: [] };
    try {
      const dates = await readDates(source.pool, only);
      if (dates === undefined) return { ...begun, state: 'empty' } as const;
      const period = usualPeriod(dates, only !== undefined);
      const audience = only === undefined ? 'agency' : 'client';
      const given = { ...request, file: join(folder, file), scopes: shown, period, audience } as const;
      return { ...begun, state: 'written', failedCharts: await writeDashboardFile(source, given) } as const;
    } catch (error) {
      request.signal.throwIfAborted();
      source.onFailure(file, error);
      return { ...begun, state: 'failed' } as const;
    }
  };
  if (!isPerClient) {
    const { scopes: shown, leftOut } = fileScopes(scopes);
    if (shown.length > 0) return [await write('dashboard.html', shown)];
    if (leftOut === 0) return [];
    throw new ConfigError([
      `Expected at most ${mostClients} clients for one file, got ${leftOut}. perClient: true writes a file for each`,
    ]);
  }
  const written: WrittenDashboard[] = [];
  for (const scope of scopes.filter(({ clientId }) => clientId !== '')) {
    const { clientKey } = scope;
    const file = `${clientFileName(scope.account, scope.clientId)}.html`;
    if (scope.leftOn === null) written.push(await write(file, [scope], scope));
    else if (await remove(join(folder, file)))
      written.push({ file, clientKey, state: 'removed', failedCharts: [] });
  }
  return written;
}

/** Returns true if it was there. */
async function remove(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
