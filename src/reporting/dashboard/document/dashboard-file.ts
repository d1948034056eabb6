// The dashboard as one file: every page of the chosen scopes, read one by one and never all in memory.

import { writeWhole } from '../../../core/files.ts';
import type { Language, Period } from '../charts/chart.ts';
import { addDays } from '../charts/dates.ts';
import { fill } from '../charts/format.ts';
import type { Overview, PageScope } from '../page/page-data.ts';
import { filePeriods, shownPages } from '../page/page-state.ts';
import { type PageSource, readDashboardPage } from '../read/read-dashboard-page.ts';
import type { Audience } from '../read/read-overview.ts';
import { type Assets, dataScript, selfContained } from './html-document.ts';

/** A file with more clients would be too large to send. */
export const mostClients = 50;
/** Days in a file with several clients. */
const usualDays = 90;

/** Leaves out clients that left; if there are too many, keeps only the accounts. */
export function fileScopes(all: readonly PageScope[]): {
  readonly scopes: readonly PageScope[];
  readonly leftOut: number;
} {
  const scopes = all.filter(({ leftOn }) => leftOn === null);
  const accounts = scopes.filter(({ clientId }) => clientId === '');
  const clients = scopes.length - accounts.length;
  return clients <= mostClients ? { scopes, leftOut: 0 } : { scopes: accounts, leftOut: clients };
}

/** Returns all dates if there is one client. */
export function usualPeriod(dates: Period, isOne: boolean, to = dates.to): Period {
  const first = isOne ? dates.from : addDays(to, 1 - usualDays);
  return { from: first < dates.from ? dates.from : first, to };
}

interface FileRequest {
  /** Absolute path. */
  readonly file: string;
  readonly assets: Assets;
  readonly language: Language;
  readonly scopes: readonly PageScope[];
  readonly period: Period;
  readonly audience: Audience;
  readonly signal: AbortSignal;
  readonly onPage?: (done: number, all: number) => void;
}

/**
 * Writes the file whole or not at all. @returns names of charts that could not be read; the file says so in their place
 */
export async function writeDashboardFile(
  source: PageSource,
  request: FileRequest,
): Promise<readonly string[]> {
  const failed = new Set<string>();
  let isOver = false;
  const onFailure = (name: string, error: unknown) => {
    // A read that fails after the file could not be written is not the cause.
    if (isOver) return;
    failed.add(name);
    source.onFailure(name, error);
  };
  try {
    await writeWhole(request.file, partsOf({ ...source, onFailure }, request));
  } finally {
    isOver = true;
  }
  return [...failed];
}

async function* partsOf(source: PageSource, request: FileRequest): AsyncGenerator<string> {
  const { assets, language, scopes, period, audience, signal, onPage } = request;
  const [only, another] = scopes;
  const title = fill('AI visibility', language);
  const named = only !== undefined && another === undefined ? `${only.name} · ${title}` : title;
  const [before, after] = selfContained(assets, { language, title: named });
  yield before;
  const overview: Overview = { language, scopes, dates: period, readAt: new Date().toISOString() };
  yield `${dataScript(overview, { id: 'airank-overview' })}\n`;
  const pages = scopes.flatMap((scope) =>
    shownPages(source.charts, scope.clientId === '').map((page) => ({ scope, page })),
  );
  for (const [done, { scope, page }] of pages.entries()) {
    signal.throwIfAborted();
    onPage?.(done, pages.length);
    for (const part of filePeriods(period, page)) {
      const data = await readDashboardPage(source, { page, scope, period: part, audience });
      // A read interrupted by the end has failed, and must not be stored as empty.
      signal.throwIfAborted();
      const named = { 'data-page-data': page, 'data-client-key': scope.clientKey, 'data-from': part.from };
      yield `${dataScript(data, named)}\n`;
    }
  }
  onPage?.(pages.length, pages.length);
  yield after;
}
