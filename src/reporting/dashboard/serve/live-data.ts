// What the server tells, by what a link shows: of one client nothing but its own.
import { type Language, pageNames } from '../charts/chart.ts';
import type { Overview, PageData, PageScope } from '../page/page-data.ts';
import { chosenPeriod, firstState, isDay, shownPages } from '../page/page-state.ts';
import { type PageSource, readDashboardPage } from '../read/read-dashboard-page.ts';
import { type Audience, readDates, readShownScopes } from '../read/read-overview.ts';
import type { LinkGrant } from './links.ts';

/** Answers that are asked for again within a short time, or while they are being read, are read once. */
interface Remembered<Value> {
  get(key: string, read: () => Promise<Value>): Promise<Value>;
}

/** @param ttlMs how long an answer is given again @param most answers that are held; the oldest go first */
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
      // What failed is asked for again.
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
  /** Reads what is asked for first, so that it is there by then. Never rejects. */
  warm(): Promise<void>;
  overview(grant: LinkGrant): Promise<Overview>;
  /** A text: what is wrong with the question. Undefined: the link does not show it, or there is no such page. */
  page(grant: LinkGrant, query: URLSearchParams): Promise<PageData | string | undefined>;
}

/** New figures are published some times a day. */
const heldMs = 60_000;
const mostPages = 100;

export function liveData(source: PageSource, language: Language): LiveData {
  const scopes = remember<readonly PageScope[]>(heldMs, 1);
  const overviews = remember<Overview>(heldMs, mostPages);
  const pages = remember<PageData>(heldMs, mostPages);
  const shownBy = async (grant: LinkGrant): Promise<readonly PageScope[]> => {
    const all = await scopes.get('', () => readShownScopes(source.pool));
    if (grant.shows === 'all') return all;
    return all.filter(({ clientKey, clientId }) => clientId !== '' && clientKey === grant.clientKey);
  };
  const live: LiveData = {
    warm: async () => {
      try {
        const { scopes: shown, dates } = await live.overview({ shows: 'all' });
        const [first] = shown;
        if (first === undefined || dates === undefined) return;
        const page = shownPages(source.charts, first.clientId === '')[0] ?? 'client';
        const { from, to } = chosenPeriod(firstState.span, dates);
        const query = { page, client_key: first.clientKey, from, to };
        await live.page({ shows: 'all' }, new URLSearchParams(query));
      } catch (error) {
        source.onFailure('the first page', error);
      }
    },
    overview: async (grant) => {
      const shown = await shownBy(grant);
      const [only] = shown;
      return await overviews.get(grant.shows === 'all' ? '' : grant.clientKey, async () => {
        const dates = grant.shows === 'all' ? readDates(source.pool) : only && readDates(source.pool, only);
        return { language, scopes: shown, dates: await dates, readAt: new Date().toISOString() };
      });
    },
    page: async (grant, query) => {
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
      if (!isDay(from) || !isDay(to) || from > to) {
        return 'Expected from and to to be dates such as 2026-04-03, the first one not later\n';
      }
      const shown = await shownBy(grant);
      const scope = shown.find(({ clientKey }) => clientKey === query.get('client_key'));
      const page = pageNames.find((name) => name === query.get('page'));
      if (scope === undefined || page === undefined) return undefined;
      if (!shownPages(source.charts, scope.clientId === '').includes(page)) return undefined;
      const audience = audienceOf(grant);
      const key = JSON.stringify([page, scope.clientKey, from, to, audience]);
      return await pages.get(key, () =>
        readDashboardPage(source, { page, scope, period: { from, to }, audience }),
      );
    },
  };
  return live;
}

function audienceOf(grant: LinkGrant): Audience {
  if (grant.shows === 'all') return 'agency';
  return grant.withNotes ? 'client_with_notes' : 'client';
}
