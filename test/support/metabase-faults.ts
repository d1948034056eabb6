// Finds what a Metabase would refuse, or draw wrongly, in a body that has the right form.
import type { MetabaseState } from './fake-metabase.ts';

interface Tagged {
  readonly dataset_query: {
    readonly database: number;
    readonly native: {
      readonly query: string;
      readonly 'template-tags': Readonly<Record<string, { readonly dimension?: readonly unknown[] }>>;
    };
  };
}

interface Laid {
  readonly tabs: readonly { readonly id: number }[];
  readonly parameters: readonly { readonly id: string }[];
  readonly dashcards: readonly {
    readonly card_id: number | null;
    readonly dashboard_tab_id: number | null;
    readonly row: number;
    readonly col: number;
    readonly size_x: number;
    readonly size_y: number;
    readonly parameter_mappings: readonly {
      readonly parameter_id: string;
      readonly card_id: number;
      readonly target: readonly [string, readonly [string, string]];
    }[];
  }[];
}

/** Names of things that are not there, and cards that lie on each other. */
export function bodyFaults(state: MetabaseState, of: string, body: object): string[] {
  if (of === 'card' && 'dataset_query' in body) return cardFaults(state, body as Tagged);
  return of === 'dashboard' && 'dashcards' in body ? dashboardFaults(state, body as Laid) : [];
}

function cardFaults(state: MetabaseState, { dataset_query: { database, native } }: Tagged): string[] {
  const fields = new Set(state.tables.flatMap((table) => table.fields.map(({ id }) => id)));
  const tags = native['template-tags'];
  const used = [...native.query.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '');
  return [
    ...(state.databases.some(({ id }) => id === database) ? [] : [`no database ${database}`]),
    ...used.filter((name) => !(name in tags)).map((name) => `no tag ${name}`),
    ...Object.values(tags).flatMap(({ dimension }) =>
      dimension === undefined || fields.has(Number(dimension[1])) ? [] : [`no field ${dimension[1]}`],
    ),
  ];
}

function dashboardFaults(state: MetabaseState, { tabs, parameters, dashcards }: Laid): string[] {
  const faults: string[] = [];
  for (const [place, card] of dashcards.entries()) {
    if (card.col + card.size_x > 24) faults.push(`card ${card.card_id} is wider than the page`);
    const isOnTab = tabs.some(({ id }) => id === card.dashboard_tab_id);
    if (tabs.length === 0 ? card.dashboard_tab_id !== null : !isOnTab)
      faults.push(`no tab ${card.dashboard_tab_id}`);
    for (const mapping of card.parameter_mappings) {
      if (!parameters.some(({ id }) => id === mapping.parameter_id))
        faults.push(`no filter ${mapping.parameter_id}`);
      const found = state.cards.find(({ id }) => id === mapping.card_id) as unknown as Tagged | undefined;
      const tag = found?.dataset_query.native['template-tags'][mapping.target[1][1]];
      const kind = tag?.dimension === undefined ? 'variable' : 'dimension';
      if (tag === undefined || kind !== mapping.target[0])
        faults.push(`no such tag: ${mapping.target.join(' ')}`);
    }
    for (const other of dashcards.slice(0, place)) {
      const isApart =
        other.dashboard_tab_id !== card.dashboard_tab_id ||
        other.row >= card.row + card.size_y ||
        card.row >= other.row + other.size_y ||
        other.col >= card.col + card.size_x ||
        card.col >= other.col + other.size_x;
      if (!isApart) faults.push(`card ${card.card_id} lies on ${other.card_id}`);
    }
  }
  return faults;
}
