// The dashboard as one file: every page of the chosen scopes, read one after another and never all in memory.
import type { Language, Period } from '../charts/chart.ts';
import type { Overview, PageScope } from '../page/page-data.ts';
import { filePeriods, shownPages } from '../page/page-state.ts';
import { word } from '../page/page-words.ts';
import { type PageSource, readDashboardPage } from '../read/read-dashboard-page.ts';
import type { Audience } from '../read/read-overview.ts';
import { type Assets, dataScript, selfContained } from './html-document.ts';

export interface FileRequest {
  readonly assets: Assets;
  readonly language: Language;
  readonly scopes: readonly PageScope[];
  /** Of all pages. */
  readonly period: Period;
  readonly audience: Audience;
  readonly signal: AbortSignal;
  /** Called before each page. */
  readonly onPage: (done: number, all: number) => void;
}

/** Parts to write one after another. */
export async function* dashboardFile(source: PageSource, request: FileRequest): AsyncGenerator<string> {
  const { assets, language, scopes, period, audience, signal, onPage } = request;
  const [only, another] = scopes;
  const title = word('title', language);
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
    onPage(done, pages.length);
    for (const part of filePeriods(period)) {
      const data = await readDashboardPage(source, { page, scope, period: part, audience });
      // What was being read when everything ended has failed, and is not to be stored as if it were so.
      signal.throwIfAborted();
      const named = { 'data-page-data': page, 'data-client-key': scope.clientKey, 'data-from': part.from };
      yield `${dataScript(data, named)}\n`;
    }
  }
  onPage(pages.length, pages.length);
  yield after;
}
