// Which logical fields stand under which curated view: each once, where most of its source is shown.
import { type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import { fieldsOf } from '../../db/code/origin.ts';
import { rowsField } from '../../mapping/logical/logical-source.ts';

/** What a logical field means, in the words of the curated views' columns. */
export interface Meaning {
  /** `bi.rank_latest.score` */
  readonly column: string;
  readonly comment: string;
}

/** By field, as `rank_now.score`; fields that no view shows have none. */
export function meanings(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, { readonly meaning: Meaning; readonly parts: number }>();
  for (const view of catalogue()) {
    for (const { name: column, comment, origin } of view.columns) {
      const fields = fieldsOf(origin);
      for (const { source, field } of fields) {
        const name = `${source}.${field}`;
        // The column that shows little else says it best.
        const parts = fields.length + (column === field ? 0 : 0.5);
        if (parts >= (found.get(name)?.parts ?? Number.POSITIVE_INFINITY)) continue;
        found.set(name, { meaning: { column: `${view.view}.${column}`, comment }, parts });
      }
    }
  }
  return new Map([...found].map(([field, { meaning }]) => [field, meaning]));
}

export interface MapGroup {
  /** Undefined: fields of which no view shows anything. */
  readonly view: string | undefined;
  readonly fields: readonly GroupedField[];
}

export interface GroupedField {
  readonly field: string;
  readonly others: readonly string[];
}

type Shown = Pick<CatalogueView, 'view' | 'columns'>;

/** @param fields all logical fields, in their order */
export function mapGroups(all: readonly Shown[], fields: readonly string[]): MapGroup[] {
  const views = viewsByField(all);
  const homes = homesOf(views);
  const groups = new Map<string | undefined, GroupedField[]>();
  for (const field of fields) {
    const shown = views.get(field) ?? [];
    const home = homes.get(sourceOf(field));
    // What is read and not shown stands there too.
    const view = shown.length === 0 || (home !== undefined && shown.includes(home)) ? home : shown[0];
    const others = shown.filter((one) => one !== view);
    groups.set(view, [...(groups.get(view) ?? []), { field, others }]);
  }
  return [...groups]
    .map(([view, grouped]) => ({ view, fields: inRuns(grouped) }))
    .sort((a, b) => (a.view === undefined ? 1 : b.view === undefined ? -1 : a.view < b.view ? -1 : 1));
}

function viewsByField(all: readonly Shown[]): ReadonlyMap<string, readonly string[]> {
  const views = new Map<string, string[]>();
  for (const { view, columns } of all) {
    const names = columns.flatMap(({ origin }) => fieldsOf(origin));
    const shown = names.flatMap(({ source, field }) => [`${source}.${field}`, `${source}.${rowsField}`]);
    for (const name of new Set(shown)) views.set(name, [...(views.get(name) ?? []), view]);
  }
  return views;
}

/** By source, the view that shows most of its fields; of several the first. */
function homesOf(views: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const [field, names] of views) {
    const source = sourceOf(field);
    const own = counts.get(source) ?? new Map<string, number>();
    for (const name of names) own.set(name, (own.get(name) ?? 0) + 1);
    counts.set(source, own);
  }
  return new Map(
    [...counts].flatMap(([source, own]) => {
      const [best] = [...own].sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
      return best === undefined ? [] : [[source, best[0]] as const];
    }),
  );
}

const sourceOf = (field: string) => field.split('.')[0] ?? '';

/** Lists of rows first, then what only this view shows, then fields with the same other views together. */
function inRuns(fields: readonly GroupedField[]): GroupedField[] {
  const isList = ({ field }: GroupedField) => field.endsWith(`.${rowsField}`);
  const key = ({ others }: GroupedField) => others.join(' ');
  const rest = fields.filter((one) => !isList(one));
  const keys = [...new Set(['', ...rest.map(key)])];
  return [...fields.filter(isList), ...keys.flatMap((one) => rest.filter((field) => key(field) === one))];
}
