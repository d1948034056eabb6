// Brings both dashboards up to date; one that people changed stays, unless they said to overwrite.
import { dashboard as dashboardAnswer, madeDashboard, nothing, type ShownDashboard } from './answers.ts';
import { type Made, madeKey } from './collection-step.ts';
import type { StepContext } from './context.ts';
import { dashboardParameters, layoutBody, type WantedCard, wantedCards } from './dashboard-body.ts';
import type { Dashboard } from './dashboards.ts';
import { type Mark, marked, unfinished, unmarked } from './mark.ts';
import type { Question } from './question.ts';
import { stableHash } from './stable-hash.ts';

export interface DashboardsWish {
  readonly dashboards: readonly Dashboard[];
  readonly questions: readonly Question[];
  readonly made: ReadonlyMap<string, Made>;
  readonly cardIds: ReadonlyMap<string, number>;
  /** Undefined: a plan would make it. */
  readonly collectionId: number | undefined;
}

/** Metabase's ids of the dashboards that are there, by key. */
export async function dashboardsStep(
  context: StepContext,
  wish: DashboardsWish,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const dashboard of wish.dashboards) {
    const id = await bring(context, wish, dashboard);
    if (id !== undefined) ids.set(dashboard.key, id);
  }
  return ids;
}

async function bring(
  context: StepContext,
  wish: DashboardsWish,
  dashboard: Dashboard,
): Promise<number | undefined> {
  const { http, apply, overwrite } = context;
  const { key, name } = dashboard;
  const note = (what: 'create' | 'change' | 'same' | 'left', why?: string) =>
    context.note({ kind: 'dashboard', name, what, ...(why === undefined ? {} : { why }) });
  const made = wish.made.get(madeKey({ kind: 'dashboard', key }));
  const wanted = wantedCards(dashboard, wish.questions, wish.cardIds);
  const mark: Mark = { kind: 'dashboard', key, made: definitionHash(dashboard, wanted), shown: unfinished };
  if (made === undefined || wish.collectionId === undefined) {
    note('create');
    if (!apply || wish.collectionId === undefined) return undefined;
    const description = marked(dashboard.about, { ...mark, made: unfinished });
    const body = { name, description, collection_id: wish.collectionId };
    const { id } = await http.post('dashboard', body, madeDashboard);
    await fill(context, wish, dashboard, wanted, id, mark);
    return id;
  }
  if (made.inTrash && !overwrite) {
    note('left', 'it is in the trash');
    return undefined;
  }
  const now = await http.get(`dashboard/${made.id}`, dashboardAnswer);
  const isChanged = made.mark.shown !== unfinished && made.mark.shown !== shownHash(now);
  if (isChanged && !overwrite) {
    note('left', 'people changed it');
    return made.id;
  }
  if (!isChanged && !made.inTrash && made.mark.made === mark.made) {
    note('same');
    return made.id;
  }
  note(
    'change',
    made.inTrash ? 'out of the trash' : isChanged ? 'takes back what people changed' : 'as it is now',
  );
  if (apply) await fill(context, wish, dashboard, wanted, made.id, mark);
  return made.id;
}

/** Lays the cards out, then says by the mark that it is whole. */
async function fill(
  { http }: StepContext,
  { cardIds, made }: DashboardsWish,
  dashboard: Dashboard,
  wanted: readonly WantedCard[],
  id: number,
  mark: Mark,
): Promise<void> {
  const now = await http.get(`dashboard/${id}`, dashboardAnswer);
  const own = [...made.values()].filter((one) => one.mark.kind === 'question').map((one) => one.id);
  const layout = layoutBody(dashboard, wanted, now, new Set([...own, ...cardIds.values()]));
  const body = {
    name: dashboard.name,
    description: marked(dashboard.about, { ...mark, made: unfinished }),
    parameters: dashboardParameters(dashboard),
    archived: false,
    ...layout,
  };
  await http.put(`dashboard/${id}`, body, nothing);
  const shown = shownHash(await http.get(`dashboard/${id}`, dashboardAnswer));
  await http.put(`dashboard/${id}`, { description: marked(dashboard.about, { ...mark, shown }) }, nothing);
}

function definitionHash(dashboard: Dashboard, wanted: readonly WantedCard[]): string {
  return stableHash([
    dashboard.name,
    dashboard.about,
    dashboard.pages,
    dashboardParameters(dashboard),
    wanted,
  ]);
}

/** What people can change of a dashboard; not the order in which Metabase tells it. */
function shownHash({ name, description, parameters, tabs, dashcards }: ShownDashboard): string {
  const tabNames = new Map((tabs ?? []).map((tab) => [tab.id, tab.name]));
  const filters = (parameters ?? []).map(({ id, name: label, type, default: value }) => [
    id,
    label,
    type,
    value,
  ]);
  const cards = dashcards.map((card) => ({
    card: card.card_id,
    tab: tabNames.get(card.dashboard_tab_id ?? 0),
    place: [card.row, card.col, card.size_x, card.size_y],
    settings: card.visualization_settings ?? {},
    series: (card.series ?? []).length,
    mappings: (card.parameter_mappings ?? [])
      .map(({ parameter_id, target }) => stableHash([parameter_id, target]))
      .sort(),
  }));
  const inOrder = cards.map((card) => stableHash(card)).sort();
  return stableHash([name, unmarked(description), filters, [...tabNames.values()], inOrder]);
}
