// A dashboard as Metabase takes it: tabs, cards on their places, filters joined with the cards' tags.
import type { Dashcard, ShownDashboard } from './answers.ts';
import type { Dashboard, Filter } from './dashboards.ts';
import { layOut } from './lay-out.ts';
import { tagTarget } from './native-query.ts';
import type { Question } from './question.ts';

/** A card on a dashboard, by the name of its tab. */
export interface WantedCard {
  readonly cardId: number;
  /** Undefined: the dashboard has no tabs. */
  readonly tab: string | undefined;
  readonly row: number;
  readonly col: number;
  readonly width: number;
  readonly height: number;
  readonly mappings: readonly { readonly parameter_id: string; readonly target: readonly unknown[] }[];
}

/** @param cardIds Metabase's ids of the questions that can be shown */
export function wantedCards(
  dashboard: Dashboard,
  questions: readonly Question[],
  cardIds: ReadonlyMap<string, number>,
): readonly WantedCard[] {
  const hasTabs = dashboard.pages.length > 1;
  return dashboard.pages.flatMap((page) => {
    const shown = questions.filter(({ key, page: of }) => of === page.key && cardIds.has(key));
    return layOut(shown).map(({ question, row, col }) => ({
      cardId: cardIds.get(question.key) ?? 0,
      tab: hasTabs ? page.name : undefined,
      row,
      col,
      width: question.width,
      height: question.height,
      mappings: mappingsOf(dashboard.filters, question),
    }));
  });
}

function mappingsOf(filters: readonly Filter[], question: Question): WantedCard['mappings'] {
  return filters.flatMap(({ id, tag }) => {
    const found = question.tags.find(({ name }) => name === tag);
    return found === undefined ? [] : [{ parameter_id: id, target: tagTarget(found) }];
  });
}

export function dashboardParameters({ filters }: Dashboard): ShownDashboard['parameters'] & object {
  return filters.map((filter) => ({
    id: filter.id,
    name: filter.name,
    slug: filter.tag,
    type: filter.type,
    sectionId: filter.type === 'string/=' ? 'string' : 'date',
    default: filter.default,
    ...(filter.single === true ? { isMultiSelect: false } : {}),
  }));
}

/**
 * What to send so that the dashboard shows the wanted cards, in place of what it shows now. Cards and tabs that people
 * added stay, below ours where they share a tab. What is new has a negative id.
 */
export function layoutBody(
  dashboard: Dashboard,
  wanted: readonly WantedCard[],
  now: ShownDashboard,
  ownCardIds: ReadonlySet<number>,
): { readonly tabs: readonly object[]; readonly dashcards: readonly object[] } {
  const tabs = dashboard.pages.length > 1 ? tabsOf(dashboard, now) : [...(now.tabs ?? [])];
  const tabId = (name: string | undefined) =>
    tabs.find((tab) => tab.name === name)?.id ?? tabs[0]?.id ?? null;
  const own = wanted.map((card, place) => ({
    id: now.dashcards.find(({ card_id }) => card_id === card.cardId)?.id ?? -1 - place,
    card_id: card.cardId,
    dashboard_tab_id: tabId(card.tab),
    row: card.row,
    col: card.col,
    size_x: card.width,
    size_y: card.height,
    parameter_mappings: card.mappings.map((mapping) => ({ ...mapping, card_id: card.cardId })),
    visualization_settings: {},
    series: [],
  }));
  const others = now.dashcards
    .filter(({ card_id: id }) => id == null || !ownCardIds.has(id))
    .map((card) => below(card, own, tabs[0]?.id ?? null));
  return { tabs, dashcards: [...own, ...others] };
}

function tabsOf({ pages }: Dashboard, { tabs: now }: ShownDashboard): { id: number; name: string }[] {
  const own = pages.map(({ name }, place) => ({
    id: now?.find((tab) => tab.name === name)?.id ?? -1 - place,
    name,
  }));
  const others = (now ?? []).filter(({ name }) => !pages.some((page) => page.name === name));
  return [...own, ...others.map(({ id, name }) => ({ id, name }))];
}

/** As it is, but not under one of ours. */
function below(
  card: Dashcard,
  own: readonly { dashboard_tab_id: number | null; row: number; size_y: number }[],
  firstTab: number | null,
): object {
  const tab = card.dashboard_tab_id ?? firstTab;
  const end = Math.max(
    0,
    ...own.filter((one) => one.dashboard_tab_id === tab).map((one) => one.row + one.size_y),
  );
  return {
    id: card.id,
    card_id: card.card_id ?? null,
    dashboard_tab_id: tab,
    row: card.row < end ? card.row + end : card.row,
    col: card.col,
    size_x: card.size_x,
    size_y: card.size_y,
    parameter_mappings: card.parameter_mappings ?? [],
    visualization_settings: card.visualization_settings ?? {},
    series: card.series ?? [],
  };
}
