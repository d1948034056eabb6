// airank views: the curated views, and where their fields are found in the data.
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { atOnce } from '../../db/database.ts';
import { curatedSchemas } from '../../db/schemas.ts';
import { type Rebuild, readRebuilds } from '../../publish/tables/rebuild-typed.ts';
import { describeViews, listViews, type ViewLine } from '../../publish/views/list-views.ts';
import { refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';
import { type Readiness, readReadiness } from '../../status/view-readiness.ts';
import type { Terminal } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { readinessLines } from '../print/readiness.ts';
import { type Cell, table } from '../print/table.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';
import { dbtSources, supersetDatasets, supersetRole } from './views-files.ts';

const countTimeoutMs = 5_000;

const refreshCommand = defineCommand({
  about: 'make the generated views anew and look for unmapped fields (sync does so by itself)',
  above: demoFlag,
  async run({ terminal, flags }) {
    return await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ db }, settings) => {
      const { refreshed, failed } = await refreshViews(db, { all: true });
      const mapped = await refreshMapping(db, settings.config.mapping);
      terminal.stdout.write(
        `${plural(refreshed.length, 'source')} refreshed, ${plural(mapped.length, 'source')} mapped anew.\n`,
      );
      for (const { source, error } of failed) terminal.stderr.write(`${source}: ${error}\n`);
      return failed.length === 0 ? 0 : 1;
    });
  },
});

export const command = defineCommand({
  about: 'the views for BI tools: which are ready, rows, freshness',
  flags: {
    '--api': 'the generated views of schema api',
    ...demoFlag,
    '--json': 'print the list as JSON on stdout',
    '--format <format>': {
      about: 'print the curated views for another tool',
      choices: ['dbt-sources', 'superset'],
    },
  },
  help: `
Examples:
  $ airank views
  $ airank views --json | jq '.[] | select(.state == "partial")'
  $ airank views --format dbt-sources > models/airank.yml
  $ airank views --format superset > airank.zip   # Superset: Datasets, import
  $ airank map        # say where fields are that are not found`,
  async run({ terminal, flags, print, width }) {
    if (flags.format !== undefined) return await printFor(terminal, flags.format, flags);
    const { lines, rebuilds, readiness } = await useWarehouse(
      terminal,
      flags,
      { orDemo: true },
      async ({ db }) =>
        await atOnce(db, async (one) => {
          const listed = listViews(one, flags.api ? ['api'] : curatedSchemas, countTimeoutMs);
          const [lines, rebuilds, readiness] = await Promise.all([
            listed,
            flags.api ? [] : readRebuilds(one),
            flags.api ? undefined : readReadiness(one, listed.then(countsOf)),
          ]);
          return { lines, rebuilds, readiness };
        }),
    );
    const text = [
      ...viewLines(lines, width, readiness),
      ...(readiness === undefined ? [] : readinessLines(readiness, width)),
      ...rebuildLines(rebuilds),
    ].join('\n');
    const states = new Map(readiness?.views.map((view) => [view.view, view]));
    const json = lines.map((line) => ({ ...line, ...states.get(line.view) }));
    print(json, text);
  },
  commands: { refresh: refreshCommand },
});

/** Prints what another tool takes. */
async function printFor(
  terminal: Terminal,
  format: 'dbt-sources' | 'superset',
  flags: Which & { readonly api?: true },
): Promise<void> {
  const { api, json } = flags;
  const other = api === true ? '--api' : json === true ? '--json' : undefined;
  if (other !== undefined) {
    throw new ConfigError([`Expected --format to stand alone or with --demo, got ${other} beside it`]);
  }
  if (format === 'superset' && terminal.stdout.isTTY) {
    throw new ConfigError([
      'Expected a file or a pipe for a ZIP, which is no text for a terminal: airank views --format superset > airank.zip',
    ]);
  }
  const printed = await useWarehouse(terminal, flags, {}, async ({ db, url }, { isDemo }) => {
    if (format === 'dbt-sources') return dbtSources(await describeViews(db));
    const views = await describeViews(db, supersetRole);
    return supersetDatasets(views, { name: isDemo ? 'AI Rank demo' : 'AI Rank', url });
  });
  terminal.stdout.write(printed);
}

const countsOf = (lines: readonly ViewLine[]) =>
  new Map(lines.flatMap(({ view, rows }) => (rows === null ? [] : [[view, rows] as const])));

/** @param readiness undefined: of these views there is none */
export function viewLines(views: readonly ViewLine[], width: number, readiness?: Readiness): string[] {
  if (views.length === 0) return ['There are no such views yet. Run: airank sync'];
  const states = new Map(readiness?.views.map(({ view, state }) => [view, state]));
  const state = (cell: string) => (readiness === undefined ? [] : [cell]);
  const rows: Cell[][] = views.map(({ view, rows, newest, grain }) => [
    view,
    ...state(states.get(view) ?? ''),
    rows ?? '(slow)',
    newest ?? '',
    grain.replace(/^one row (?:an?|the) /, '').replace(/\.$/, ''),
  ]);
  const isCurated = views.every(({ grain }) => grain.startsWith('one row'));
  const prose = isCurated ? 'one row is a' : 'holds';
  const lines = table([['view', ...state('state'), 'rows', 'newest', prose], ...rows], {
    width,
    wraps: [prose],
    yields: ['newest', prose],
  });
  const isEmpty = views.every(({ view, rows }) => rows === 0 || view === 'ops.field_catalog');
  return isEmpty ? [...lines, '', 'Nothing is published yet. Run: airank sync'] : lines;
}

/** Until a new table is filled, its views show the old mapping. */
export function rebuildLines(rebuilds: readonly Rebuild[]): string[] {
  if (rebuilds.length === 0) return [];
  const lines = rebuilds.map(
    ({ source, scopes, filled }) => `  ${source}: ${filled} of ${plural(scopes, 'slice')}`,
  );
  return [
    '',
    'Mapped anew, and shown as before until all of it is read:',
    ...lines,
    'Go on: airank views refresh',
  ];
}
