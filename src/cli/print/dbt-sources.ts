// The curated views as sources of dbt: descriptions from comments, freshness by the run date.
import { stringify } from 'yaml';
import type { ViewSchema } from '../../db/code/catalogue.ts';
import { measuresOf } from '../../db/code/measures.ts';
import type { DescribedView } from '../../publish/views/describe-views.ts';

/** A run date is its midnight, so a day that was synced at noon is up to date until the next noon. */
const warnAfterHours = 36;
const errorAfterHours = 72;

const head = `# The curated views as sources of dbt, one a schema, made by: airank views --format dbt-sources
# Make it anew after an upgrade; changes by hand are lost.
`;

const schemas: Readonly<Record<ViewSchema, readonly [string, string]>> = {
  bi: ['airank', 'AI-visibility figures of every client: what is so now, and what happened.'],
  bi_history: ['airank_history', 'What the views of bi said on each run date.'],
  ops: ['airank_ops', 'The warehouse itself: budget, writes, fields of the data.'],
};

/** The text of a sources file. */
export function dbtSources(views: readonly DescribedView[]): string {
  const sources = Object.entries(schemas).map(([schema, [name, description]]) => ({
    name,
    schema,
    description,
    freshness: {
      warn_after: { count: warnAfterHours, period: 'hour' },
      error_after: { count: errorAfterHours, period: 'hour' },
    },
    tables: views.filter((view) => view.schema === schema).map(tableOf),
  }));
  return head + stringify({ version: 2, sources }, { lineWidth: 0 });
}

function tableOf(view: DescribedView): object {
  const { name, row, question, loaded, columns } = view;
  const measures = new Map(measuresOf(view).map(({ column, unit, sql }) => [column, { unit, measure: sql }]));
  return {
    name,
    description: `Grain: one row ${row}. ${question}`,
    // dbt checks no table without a field for it, and null says so of this one whatever stands above.
    ...(loaded === undefined ? { freshness: null } : { loaded_at_field: `${loaded}::timestamp` }),
    columns: columns.map((column) => ({
      name: column.name,
      description: column.comment,
      data_type: column.type,
      ...(measures.has(column.name) && { meta: measures.get(column.name) }),
    })),
  };
}
