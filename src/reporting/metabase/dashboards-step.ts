// Creates missing dashboards; resets the layout of existing ones only on request.

import { type Made, madeKey, marked } from './collection-step.ts';
import { type Dashboard, type Filter, layOut } from './dashboards.ts';
import {
  type Dashcard,
  dashboard as dashboardAnswer,
  madeItem,
  nothing,
  type ShownDashboard,
  type StepContext,
} from './metabase-http.ts';
import { type Question, tagTarget } from './question.ts';

interface WantedCard {
  readonly cardId: number;
  readonly tab: string | undefined;
  readonly row: number;
  readonly col: number;
  readonly width: number;
  readonly height: number;
  readonly mappings: readonly { readonly parameter_id: string; readonly target: readonly unknown[] }[];
}

/** @param cardIds Metabase's ids of the questions that can be shown */
function wantedCards(
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

function dashboardParameters({ filters }: Dashboard): readonly object[] {
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
 * Returns the cards and tabs to send, so that the dashboard shows the wanted ones. People's own cards and tabs stay,
 * below ours on a shared tab. Metabase expects negative ids for new ones.
 */
function layoutBody(
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

/** Leaves the card as it is, but moves it out from under ours. */
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

interface WantedDashboards {
  readonly dashboards: readonly Dashboard[];
  readonly questions: readonly Question[];
  readonly made: ReadonlyMap<string, Made>;
  readonly cardIds: ReadonlyMap<string, number>;
  readonly collectionId: number;
}

/** Returns Metabase's ids of the existing dashboards, by key. */
export async function dashboardsStep(
  context: StepContext,
  given: WantedDashboards,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const dashboard of given.dashboards) {
    const id = await bring(context, given, dashboard);
    if (id !== undefined) ids.set(dashboard.key, id);
  }
  return ids;
}

async function bring(
  { http, note, overwrite }: StepContext,
  given: WantedDashboards,
  dashboard: Dashboard,
): Promise<number | undefined> {
  const mark = { kind: 'dashboard', key: dashboard.key } as const;
  const told = { kind: mark.kind, name: dashboard.name };
  const description = marked(dashboard.about, mark);
  const wanted = wantedCards(dashboard, given.questions, given.cardIds);
  const made = given.made.get(madeKey(mark));
  if (made?.inTrash === true && !overwrite) {
    note({ ...told, what: 'left', why: 'it is in the trash' });
    return undefined;
  }
  if (made === undefined) note({ ...told, what: 'create' });
  const begun = { name: dashboard.name, description, collection_id: given.collectionId };
  const id = made?.id ?? (await http.post('dashboard', begun, madeItem)).id;
  const now = await http.get(`dashboard/${id}`, dashboardAnswer);
  // A dashboard without a card was not filled before a stop.
  if (made !== undefined && !overwrite && now.dashcards.length > 0) {
    const shown = new Set(now.dashcards.map(({ card_id: card }) => card));
    const lacking = wanted.filter(({ cardId }) => !shown.has(cardId)).length;
    note(
      lacking === 0
        ? { ...told, what: 'same' }
        : { ...told, what: 'left', why: `without ${lacking} of its questions` },
    );
    return id;
  }
  if (made !== undefined) note({ ...told, what: 'change' });
  const own = [...given.made.values()].filter(({ kind }) => kind === 'question').map((one) => one.id);
  const layout = layoutBody(dashboard, wanted, now, new Set([...own, ...given.cardIds.values()]));
  const { collection_id: _, ...said } = begun;
  const parameters = dashboardParameters(dashboard);
  await http.put(`dashboard/${id}`, { ...said, parameters, archived: false, ...layout }, nothing);
  return id;
}
