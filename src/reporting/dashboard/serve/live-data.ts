// The data of the live pages, read at most once a minute.
import { type Language, pageNames } from '../charts/chart.ts';
import type { Overview, PageData } from '../page/page-data.ts';
import { chosenPeriod, firstState, isPeriod, shownPages } from '../page/page-state.ts';
import { type PageSource, readDashboardPage } from '../read/read-dashboard-page.ts';
import { readDates, readShownScopes } from '../read/read-overview.ts';

/** Remembers answers, so that one requested again soon, or while it is being read, is read once. */
interface Remembered<Value> {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
}

/** @param ttlMs time for which an answer is reused @param most maximum answers to keep; the oldest go first */
export function remember<Value>(
  ttlMs: number,
  most: number,
  now: () => number = Date.now,
): Remembered<Value> {
  const held = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();
  return {
    get(key, read) {
      const known = held.get(key);
      if (known !== undefined && now() < known.until) return known.value;
      const value = read();
      held.delete(key);
      held.set(key, { value, until: now() + ttlMs });
      value.catch(() => {
        if (held.get(key)?.value === value) held.delete(key);
      });
      for (const oldest of held.keys()) {
        if (held.size <= most) break;
        held.delete(oldest);
      }
      return value;
    },
  };
}

export interface LiveData {
  /** Reads ahead what is asked for first. Never rejects. */
  warm(): Promise<void>;
  overview(): Promise<Overview>;
  /** A text says what is wrong with the query; undefined means no such page. */
  page(query: URLSearchParams): Promise<PageData | string | undefined>;
}

/** New figures are only published some times a day. */
const heldMs = 60_000;
const mostPages = 100;

export function liveData(source: PageSource, language: Language): LiveData {
  const overviews = remember<Overview>(heldMs, 1);
  const pages = remember<PageData>(heldMs, mostPages);
  const live: LiveData = {
    warm: async () => {
      try {
        const { scopes, dates } = await live.overview();
        const [first] = scopes;
        if (first === undefined || dates === undefined) return;
        const page = shownPages(source.charts, first.clientId === '')[0] ?? 'client';
        const { from, to } = chosenPeriod(firstState.span, dates);
        const query = { page, client_key: first.clientKey, from, to };
        await live.page(new URLSearchParams(query));
      } catch (error) {
        source.onFailure('the first page', error);
      }
    },
    overview: () =>
      overviews.get('', async () => {
        const [scopes, dates] = await Promise.all([readShownScopes(source.pool), readDates(source.pool)]);
        return { language, scopes, dates, readAt: new Date().toISOString() };
      }),
    page: async (query) => {
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
      if (!isPeriod(from, to)) {
        return 'Expected from and to to be dates such as 2026-04-03, the first one not later\n';
      }
      const { scopes } = await live.overview();
      const scope = scopes.find(({ clientKey }) => clientKey === query.get('client_key'));
      const page = pageNames.find((name) => name === query.get('page'));
      if (scope === undefined || page === undefined) return undefined;
      if (!shownPages(source.charts, scope.clientId === '').includes(page)) return undefined;
      const key = JSON.stringify([page, scope.clientKey, from, to]);
      return await pages.get(key, () =>
        readDashboardPage(source, { page, scope, period: { from, to }, audience: 'agency' }),
      );
    },
  };
  return live;
}
