// The curated views of bi and bi_history, as the catalogue says them: found, described, read.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { nearestName } from '../../config/nearest-name.ts';
import { type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import { measuresOf } from '../../db/code/measures.ts';
import { biSchemas } from '../../db/schemas.ts';
import { readColumns } from '../../export/view-columns.ts';
import { quoted, ToolError } from '../form/answer.ts';
import { type Whose, whoseCondition } from './clients.ts';
import type { Source, TextRows } from './page.ts';

/** Lists the views that the role of dashboards reads. */
function readable(): readonly CatalogueView[] {
  return catalogue().filter(({ schema }) => biSchemas.some((one) => one === schema));
}

export function listViews(search: string): TextRows {
  const words = search.toLowerCase().split(/\s+/);
  const found = readable().filter(({ view, row, question, columns }) => {
    const text = [view, row, question, ...columns.map(({ name }) => name)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return {
    columns: ['view', 'a row is', 'question', 'from and to are of'],
    rows: found.map(({ view, row, question, time = null }) => [view, row, question, time]),
  };
}

/** @throws ToolError where there is no such view */
export function findView(given: string): CatalogueView {
  const views = readable();
  const found = views.find(({ view, schema, name }) => view === given || (schema === 'bi' && name === given));
  if (found !== undefined) return found;
  const near = nearestName(
    given.includes('.') ? given : `bi.${given}`,
    views.map(({ view }) => view),
  );
  throw new ToolError(
    'unknown_view',
    `There is no view ${quoted(given)} of bi or bi_history.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}list_views lists them.`,
  );
}

export async function describeView(client: pg.ClientBase, view: CatalogueView): Promise<TextRows> {
  const types = new Map((await columnsOf(client, view)).map(({ name, type }) => [name, type]));
  return {
    columns: ['column', 'type', 'what it says'],
    rows: view.columns.flatMap(({ name, comment }) => {
      const type = types.get(name);
      return type === undefined ? [] : [[name, type, comment]];
    }),
  };
}

const columnsOf = async (client: pg.ClientBase, { schema, name }: CatalogueView) =>
  await readColumns(client as pg.PoolClient, schema, name);

interface WantedView {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Undefined: all. */
  readonly columns: readonly string[] | undefined;
}

/** @throws ToolError where a column is unknown, or dates are asked of a view without any */
export async function viewSource(
  client: pg.ClientBase,
  view: CatalogueView,
  whose: Whose,
  { from, to, columns }: WantedView,
): Promise<Source> {
  const there = await columnsOf(client, view);
  const names = there.map(({ name }) => name);
  for (const name of columns ?? []) if (!names.includes(name)) throw unknownColumn(view, name, names);
  if (view.time === undefined && (from !== undefined || to !== undefined)) {
    const daily = readable().find(({ schema, name }) => schema === 'bi_history' && name === view.name);
    throw new ToolError(
      'bad_date',
      `${view.view} shows the present.`,
      daily === undefined ? 'Leave out from and to.' : `Read ${daily.view}, or leave out from and to.`,
    );
  }
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const time = view.time === undefined ? undefined : `x.${escapeIdentifier(view.time)}`;
  const isMoment = there.find(({ name }) => name === view.time)?.type.startsWith('timestamp') === true;
  const conditions = [
    whoseCondition(whose, add),
    from && `${time} >= ${add(from)}::date`,
    to && (isMoment ? `${time} < ${add(to)}::date + 1` : `${time} <= ${add(to)}::date`),
    // A server that is bound to clients shows neither the notes of the agency nor the alerts that it muted.
    whose.isBound && view.name === 'events' && "x.event_type in ('method_change', 'action')",
    whose.isBound && view.name === 'alerts' && 'not x.is_muted',
  ].filter((condition) => typeof condition === 'string');
  const days = isMoment ? `extract(epoch from ${time})` : `(${time} - date '2000-01-01')`;
  const place = time === undefined ? '0' : `coalesce(case when isfinite(${time}) then -${days} end, 0)`;
  return {
    text: `select x.*, ${place} as "(place)" from ${view.schema}.${escapeIdentifier(view.name)} as x${
      conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
    }`,
    values,
    columns: columns ?? names,
    identity: identityOf(view, names),
  };
}

/** Columns that tell rows apart: no measures, nor the run date of a view of now, which moves. */
function identityOf(view: CatalogueView, names: readonly string[]): readonly string[] | undefined {
  const measures = new Set(measuresOf(view).map(({ column }) => column));
  const own = names.filter((name) => !measures.has(name) && (name !== view.loaded || name === view.time));
  return own.length === 0 ? undefined : own;
}

function unknownColumn(view: CatalogueView, name: string, names: readonly string[]): ToolError {
  const near = nearestName(name, names);
  return new ToolError(
    'bad_argument',
    `${view.view} has no column ${quoted(name)}.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}describe_view lists them.`,
  );
}
