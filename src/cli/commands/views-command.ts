// airank views: the curated views, and where their fields are found in the data.
import type { Command } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { mapField, parseFieldPlace } from '../../warehouse/mapping/change-mapping.ts';
import { type MappingLine, readMappingLines } from '../../warehouse/mapping/read-mapping.ts';
import { type Readiness, readReadiness } from '../../warehouse/reports/view-readiness.ts';
import { type Refill, readRefills } from '../../warehouse/tables/refill-typed.ts';
import { listViews, type ViewLine } from '../../warehouse/views/list-views.ts';
import { refreshMapping } from '../../warehouse/views/refresh-mapping.ts';
import { refreshViews } from '../../warehouse/views/refresh-views.ts';
import { readinessLines } from '../print/print-readiness.ts';
import { type Cell, table } from '../print/table.ts';
import { columnsOf } from '../print/wrap.ts';
import { readSettings, type Terminal, withWarehouse } from '../setup/context.ts';
import { demoFlag, withChosenWarehouse } from '../setup/demo-settings.ts';

const countTimeoutMs = 5_000;

export function addViewsCommand(program: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  const views = program
    .command('views')
    .description('list the views that BI tools read: which are ready, rows, freshness, grain')
    .option('--api', 'the generated views of schema api')
    .option(...demoFlag)
    .option('--json', 'print the list as JSON on stdout')
    .addHelpText(
      'after',
      `
Examples:
  $ airank views
  $ airank views map                                  what is not found in the data, with proposals
  $ airank views map rank_now.score resultado.total   say where a field is`,
    )
    .action(async (flags: { api?: true; demo?: true; json?: true }) => {
      const { lines, refills, readiness } = await withChosenWarehouse(
        terminal,
        flags.demo === true,
        {},
        async ({ db }) => {
          const lines = await listViews(db, flags.api ? 'api' : 'bi', countTimeoutMs);
          if (flags.api) return { lines, refills: [], readiness: undefined };
          return {
            lines,
            refills: await readRefills(db),
            readiness: await readReadiness(db, countsOf(lines)),
          };
        },
      );
      const width = columnsOf(terminal.stdout);
      const text = [
        ...viewLines(lines, width, readiness),
        ...(readiness === undefined ? [] : readinessLines(readiness, width)),
        ...refillLines(refills),
      ].join('\n');
      const states = new Map(readiness?.views.map((view) => [view.view, view]));
      const json = lines.map((line) => ({ ...line, ...states.get(line.view) }));
      terminal.stdout.write(flags.json ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
    });
  addMapCommand(views, terminal);
  addRefreshCommand(views, terminal, end);
}

const countsOf = (lines: readonly ViewLine[]) =>
  new Map(lines.flatMap(({ view, rows }) => (rows === null ? [] : [[view, rows] as const])));

/** One line a view, cut to the width of the terminal. @param readiness undefined: of these views there is none */
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
  const lines = table([
    ['view', ...state('state'), 'rows', 'newest', isCurated ? 'one row is a' : 'holds'],
    ...rows,
  ]);
  const short = lines.map((line) =>
    [...line].length > width ? `${[...line].slice(0, width - 1).join('')}…` : line,
  );
  const isEmpty = views.every(({ view, rows }) => rows === 0 || view === 'bi.field_catalog');
  return isEmpty ? [...short, '', 'Nothing is published yet. Run: airank sync'] : short;
}

/** Until a new table is filled, its views show the old mapping. */
export function refillLines(refills: readonly Refill[]): string[] {
  if (refills.length === 0) return [];
  const lines = refills.map(
    ({ source, scopes, filled }) => `  ${source}: ${filled} of ${plural(scopes, 'slice')}`,
  );
  return [
    '',
    'Mapped anew, and shown as before until all of it is read:',
    ...lines,
    'Go on: airank views refresh',
  ];
}

function addMapCommand(views: Command, terminal: Terminal): void {
  views
    .command('map')
    .description('show or change where fields of the curated views are in the data')
    .argument('[field]', 'as rank_now.score')
    .argument(
      '[path]',
      'path in the data, as resultado.total, serie[-1].valor or "fecha | dmy" (docs/views.md has them all)',
    )
    .option('--none', 'the field is nowhere in the data')
    .option('--auto', 'back to what is found by its name')
    .option('--all', 'also the fields that are mapped')
    .option('--json', 'print the fields as JSON on stdout')
    .action(
      async (
        field: string | undefined,
        path: string | undefined,
        flags: { none?: true; auto?: true; all?: true; json?: true },
      ) => {
        const place = field === undefined ? undefined : parseFieldPlace(field);
        const settings = readSettings(terminal, { needAccounts: false });
        if (place !== undefined && `${place.source.name}.${place.field}` in settings.config.mapping) {
          throw new ConfigError([`${field} is mapped by the configuration file (mapping); change it there`]);
        }
        await withWarehouse(terminal, settings, {}, async ({ db }) => {
          const changes = [path, flags.none, flags.auto].filter((one) => one !== undefined).length;
          if (changes > 1) throw new ConfigError(['Expected one of a path, --none and --auto']);
          if (place !== undefined && changes === 1) {
            await mapField(db, place, flags.auto ? undefined : flags.none ? null : path);
          }
          await refreshMapping(db, settings.config.mapping);
          const lines = (await readMappingLines(db)).filter((line) =>
            field === undefined
              ? flags.all || (line.path === null && line.hasData && line.origin === null)
              : line.field === field,
          );
          const text = mappingLines(lines).join('\n');
          terminal.stdout.write(flags.json ? `${JSON.stringify(lines, null, 2)}\n` : `${text}\n`);
        });
      },
    );
}

function mappingLines(lines: readonly MappingLine[]): string[] {
  if (lines.length === 0) return ['Every field of the curated views is found in the data.'];
  const rows: Cell[][] = lines.map((line) => [
    line.field,
    line.type,
    line.path ?? (line.origin === null ? 'unmapped' : 'none'),
    line.isMissing ? `${line.origin}, not in the data` : (line.origin ?? ''),
    line.proposals
      .map(
        ({ path, score, examples: [example] }) =>
          `${path} ${Math.round(score * 100)} %${example === undefined ? '' : ` (${example.slice(0, 24)})`}`,
      )
      .join(', '),
  ]);
  return [
    ...table([['field', 'type', 'path', 'by', 'might be'], ...rows]),
    '',
    'Say where one is: airank views map FIELD PATH. That it is nowhere: airank views map FIELD --none.',
    'An unmapped field is empty in its views; `client` is needed only where records of several clients come together.',
  ];
}

function addRefreshCommand(views: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  views
    .command('refresh')
    .description('make the generated views anew and look for unmapped fields (sync does so by itself)')
    .action(async () => {
      const settings = readSettings(terminal, { needAccounts: false });
      await withWarehouse(terminal, settings, {}, async ({ db }) => {
        const { refreshed, failed } = await refreshViews(db, { all: true });
        const mapped = await refreshMapping(db, settings.config.mapping);
        terminal.stdout.write(
          `${plural(refreshed.length, 'source')} refreshed, ${plural(mapped.length, 'source')} mapped anew.\n`,
        );
        for (const { source, error } of failed) terminal.stderr.write(`${source}: ${error}\n`);
        end(failed.length === 0 ? 0 : 1);
      });
    });
}
