// airank views: the curated views by the question that they answer, and one of them with its columns and rows.

import { nearestName } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import { atOnce } from '../../db/database.ts';
import { curatedSchemas } from '../../db/schemas.ts';
import { dbtSources, supersetDatasets } from '../../export/views-files.ts';
import { type Rebuild, readRebuilds } from '../../publish/tables/rebuild-typed.ts';
import { readViewFacts } from '../../publish/views/describe-view.ts';
import { fitViews } from '../../publish/views/fit-views.ts';
import { describeViews, listViews, type ViewLine } from '../../publish/views/list-views.ts';
import { readReadiness } from '../../status/view-readiness.ts';
import { defineCommand } from '../define-command.ts';
import { type Cell, table } from '../print/table.ts';
import { colorsFor } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';
import { viewsText, viewText } from './views-text.ts';

const countTimeoutMs = 1_000;

export const command = defineCommand({
  about: 'what you can query; with a name: columns, units, rows',
  args: [['[name]', 'one of them, as rank_trend or bi_history.prompts']],
  flags: {
    '--api': 'the generated views of schema api',
    ...demoFlag,
    '--json': 'print rows, newest dates and what is missing as JSON on stdout',
    '--format <format>': {
      about: 'print the curated views for another tool',
      choices: ['dbt-sources', 'superset'],
    },
    '--history': 'with --format superset: the views of bi_history too, as NAME_history',
  },
  help: `
Examples:
  $ airank views
  $ airank views rank_trend
  $ airank views --json | jq '.[] | select(.lacks != []) | {view, lacks}'
  $ airank views --format dbt-sources > models/airank.yml
  $ airank views --format superset > airank.zip   # Superset: Dashboards, import
  $ airank map        # say where the fields are that were not found`,
  async run({ terminal, flags, print, width }, name) {
    if (flags.history && flags.format !== 'superset') {
      throw new ConfigError(['--history needs --format superset']);
    }
    if (flags.format !== undefined) return await printFor(terminal, flags.format, flags);
    const colors = colorsFor(terminal.stdout, terminal.env);
    if (name !== undefined) {
      const view = curatedView(name);
      const read = await useWarehouse(terminal, flags, { orDemo: true }, async ({ db }) =>
        atOnce(db, (one) =>
          Promise.all([readViewFacts(one, view, countTimeoutMs), readReadiness(one), readRebuilds(one)]),
        ),
      );
      const [facts, readiness, rebuilds] = read;
      const lacks = readiness.lacking.find((one) => one.view === view.view)?.lacks ?? [];
      const lines = [...viewText(facts, lacks, { width, colors }), ...rebuildLines(rebuilds)];
      return print({ ...facts, lacks }, lines);
    }
    if (flags.api) {
      const lines = await useWarehouse(terminal, flags, { orDemo: true }, ({ db }) =>
        listViews(db, ['api'], countTimeoutMs),
      );
      return print(lines, apiLines(lines, width));
    }
    const [lines, rebuilds, readiness] = await useWarehouse(
      terminal,
      flags,
      { orDemo: true },
      async ({ db }) =>
        await atOnce(db, async (one) =>
          Promise.all([
            listViews(one, curatedSchemas, countTimeoutMs),
            readRebuilds(one),
            readReadiness(one),
          ]),
        ),
    );
    const lacks = new Map(readiness.lacking.map((view) => [view.view, view.lacks]));
    const json = lines.map((line) => ({ ...line, lacks: lacks.get(line.view) ?? [] }));
    print(json, [...viewsText(lines, readiness, { width, colors }), ...rebuildLines(rebuilds)]);
  },
});

/** @throws ConfigError where there is none */
function curatedView(given: string): CatalogueView {
  const name = given.includes('.') ? given : `bi.${given}`;
  const views = catalogue();
  const found = views.find(({ view }) => view === name);
  if (found !== undefined) return found;
  const near = nearestName(
    name,
    views.map(({ view }) => view),
  );
  const fix =
    near === undefined ? 'airank views lists them' : `Try: airank views ${near.replace(/^bi\./, '')}`;
  throw new ConfigError([`There is no view ${given}. ${fix}`]);
}

async function printFor(
  terminal: Terminal,
  format: 'dbt-sources' | 'superset',
  flags: Which & { readonly api?: true; readonly history?: true },
): Promise<void> {
  const { api, json } = flags;
  const other = api === true ? '--api' : json === true ? '--json' : undefined;
  if (other !== undefined) {
    throw new ConfigError([`--format cannot be used with ${other}`]);
  }
  if (format === 'superset' && terminal.stdout.isTTY) {
    throw new ConfigError([
      'A ZIP cannot be shown on a terminal. Write it to a file: airank views --format superset > airank.zip',
    ]);
  }
  const printed = await useWarehouse(terminal, flags, {}, async ({ db, url }, { isDemo }) => {
    if (format === 'dbt-sources') return dbtSources(await describeViews(db));
    const views = (await describeViews(db)).filter(
      ({ schema, columns }) =>
        columns.length > 0 && (schema === 'bi' || (schema === 'bi_history' && flags.history === true)),
    );
    return supersetDatasets(await fitViews(db, views), { name: isDemo ? 'AI Rank demo' : 'AI Rank', url });
  });
  terminal.stdout.write(printed);
}

function apiLines(views: readonly ViewLine[], width: number): string[] {
  if (views.length === 0) return ['There are no such views yet. Run: airank sync'];
  const rows: Cell[][] = views.map(({ view, rows, newest, grain }) => [
    view,
    rows ?? '(slow)',
    newest ?? '',
    grain,
  ]);
  return table([['view', 'rows', 'newest', 'holds'], ...rows], {
    width,
    wraps: ['holds'],
    yields: ['newest', 'holds'],
  });
}

/** Until a new table is filled, its views show the old mapping. */
function rebuildLines(rebuilds: readonly Rebuild[]): string[] {
  if (rebuilds.length === 0) return [];
  const lines = rebuilds.map(
    ({ source, scopes, filled }) => `  ${source}: ${filled} of ${plural(scopes, 'list')}`,
  );
  return [
    '',
    'The mapping changed; these show the old one until all of it is read:',
    ...lines,
    'To finish: airank migrate',
  ];
}
