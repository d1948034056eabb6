// airank map: where fields of the curated views are in the data; one field, or questions on a terminal.
import { explainPlace } from '../../config/explain-settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { cutText, duration, plural } from '../../core/text.ts';
import { catalogue } from '../../db/code/catalogue.ts';
import { fieldsOf } from '../../db/code/origin.ts';
import type { Executor } from '../../db/database.ts';
import { canonical, type FieldPlace, mapField, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingLine, readMappingLines, weighField } from '../../mapping/mapping-lines.ts';
import { margin, sure } from '../../mapping/matching/match.ts';
import { findUnreadablePath, type UnreadablePath } from '../../mapping/unreadable-path.ts';
import { refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { readReadiness } from '../../status/view-readiness.ts';
import { type Asker, openAsker } from '../ask.ts';
import type { Settings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { readinessLine } from '../print/readiness.ts';
import { bar, redraw } from '../print/redraw.ts';
import { table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import { show, type Terminal } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

export const command = defineCommand({
  about: 'say where fields of the curated views are in the data',
  args: [
    ['[field]', 'as rank_now.score; alone: where it is, and what it might be'],
    ['[path]', 'as resultado.total (docs/views.md has the language of paths)'],
  ],
  flags: {
    '--none': 'the data does not have this field',
    '--auto': 'go back to the path that is found automatically',
    ...demoFlag,
    '--json': 'print the fields as JSON on stdout',
  },
  help: `
On a terminal it asks about the fields that are in doubt, the likeliest first,
and applies the answers; in a pipe it lists them with examples. Fields under
mapping: in airank.config.yaml win, and can only be changed there.

Exit codes:
  0  done
  1  stopped
  2  a path reads nothing, the configuration maps the field, or nothing is
     published yet

Examples:
  $ airank map                                  # answer what is in doubt
  $ airank map rank_now.score resultado.total   # say where a field is
  $ airank map products.currency '^^moneda'     # a field beside the list
  $ airank map rank_now.kind --none             # the data does not have it`,
  async run({ terminal, flags, print, width }, field, path) {
    checkUsage(field, path, flags);
    const place = field === undefined ? undefined : parseFieldPlace(field);
    const options = { schema: 'migrate_only', orDemo: true } as const;
    return await useWarehouse(terminal, flags, options, async ({ db }, settings) => {
      const work: MapWork = {
        terminal,
        db,
        settings,
        width,
        colors: colorsFor(terminal.stdout, terminal.env),
      };
      const isChange = path !== undefined || flags.none || flags.auto;
      const outcome: string[] = [];
      if (field !== undefined && place !== undefined && isChange) {
        await changeField(work, field, place, flags.auto ? undefined : flags.none ? null : path);
        outcome.push(await rebuild(work));
      }
      const lines = (await readMappingLines(db, place && [place.source])).filter(
        (line) => field === undefined || line.field === field,
      );
      const json = lines.map((line) => ({
        ...line,
        proposals: line.proposals.map(({ examples: _, ...proposal }) => proposal),
      }));
      const [line] = lines;
      if (place !== undefined && line !== undefined) {
        const about = await fieldLines(work, place, line);
        print(json, [...about, ...outcome]);
        return 0;
      }
      if (!flags.json && !lines.some(({ hasData }) => hasData)) {
        throw new ConfigError([
          'Nothing is published yet, so there is no data to find fields in. Run: airank sync',
        ]);
      }
      const asker = terminal.stdout.isTTY && !flags.json ? openAsker(terminal, terminal.stdout) : undefined;
      if (asker !== undefined) return await answerQuestions(work, asker, lines);
      const open = inDoubt(lines, settings.config.mapping);
      const rows = open.flatMap((one) =>
        proposalRows(one).map(([, ...cells], index) => [index === 0 ? one.field : '', ...cells]),
      );
      const head = ['field', 'path', 'score', 'examples'];
      const shown = rows.length === 0 ? ['No field is in doubt.'] : table([head, ...rows], { width });
      print(json, settings.scrub(shown.join('\n')));
      return 0;
    });
  },
});

interface MapWork {
  readonly terminal: Terminal;
  readonly db: Executor;
  readonly settings: Settings;
  readonly width: number;
  readonly colors: Colors;
}

type MapFlags = Call<{ readonly none?: true; readonly auto?: true }>['flags'];

function checkUsage(field: string | undefined, path: string | undefined, { none, auto }: MapFlags): void {
  const changes = [path, none, auto].filter((one) => one !== undefined).length;
  if (changes > 1) throw new ConfigError([`Expected only one of a path, --none and --auto, got ${changes}`]);
  if (changes === 1 && field === undefined)
    throw new ConfigError(['Expected a field such as rank_now.score with --none or --auto, got none']);
}

/**
 * Sets the path of a field.
 * @param path null: nowhere; undefined: back to what is found
 * @throws ConfigError when it reads nothing
 */
async function changeField(
  { terminal, db, settings }: MapWork,
  field: string,
  place: FieldPlace,
  path: string | null | undefined,
): Promise<void> {
  const { mapping: configured } = settings.config;
  if (field in configured) {
    const line = explainPlace(terminal, ['mapping', field]);
    throw new ConfigError([`${field} is mapped in ${line}, which wins over airank map. Change it there`]);
  }
  const wanted = path === undefined ? undefined : canonical(field, path);
  if (typeof wanted === 'string') {
    const nothing = await findUnreadablePath(db, place, wanted, configured);
    if (nothing !== undefined) throw new ConfigError([nothingText(field, wanted, nothing)]);
  }
  await store(db, field, path);
}

/** Stores where a field is; the views follow with the next rebuild. */
const store = (db: Executor, field: string, path: string | null | undefined) =>
  db.transaction().execute((tx) => mapField(tx, parseFieldPlace(field), path));

const dates = 'If they are dates, say whether the day or the month comes first: PATH | dmy or PATH | mdy';
const numbers = 'If they are numbers, say which decimal mark they use: PATH | comma or PATH | point';
const fixes: Readonly<Record<string, string>> = {
  ...{ date: dates, timestamptz: dates },
  ...{ numeric: numbers, score: numbers, rate: numbers },
};

function nothingText(field: string, path: string, { type, why, records, nearest }: UnreadablePath): string {
  const got = JSON.stringify(path);
  if (why !== 'absent') {
    return `No value at ${got} can be read as ${type}, the type of ${field}. ${fixes[type] ?? `airank map ${field} shows what it might be`}`;
  }
  const near = nearest.length === 0 ? '' : `Nearest: ${nearest.join(', ')}. `;
  return `Expected a path of the records for ${field}, got ${got}, which none of ${plural(records, 'record')} has. ${near}Give a path that they have, or --none if the data does not have the field`;
}

/** Rebuilds the tables whose mapping changed, shows the progress, and reports the result. */
async function rebuild({ terminal, db, settings }: MapWork): Promise<string> {
  const { stderr, signal } = terminal;
  const startedAt = Date.now();
  const most = new Map<string, number>();
  let shown = '';
  const { stop } = redraw(stderr, (width) => (width === undefined || shown === '' ? [] : [shown]));
  try {
    const rebuilt = await refreshMapping(db, settings.config.mapping, ({ source, open, table, tables }) => {
      // Ends the work before the next slice.
      signal.throwIfAborted();
      const slices = Math.max(most.get(source) ?? 0, open);
      most.set(source, slices);
      const done = (table - 1 + (slices === 0 ? 1 : (slices - open) / slices)) / tables;
      shown = `${bar(done)} table ${table} of ${tables}: ${source}, ${slices - open} of ${plural(slices, 'list')}`;
    });
    const tables =
      rebuilt.length === 0
        ? 'No table had to be rebuilt'
        : `${plural(rebuilt.length, 'table')} rebuilt in ${duration(Date.now() - startedAt)}`;
    return `${tables}. ${readinessLine(await readReadiness(db))}`;
  } finally {
    stop();
  }
}

/** The column of a curated view that shows a field, and its meaning; undefined: none shows it as it is. */
function meaningOf(field: string): { readonly column: string; readonly comment: string } | undefined {
  const shown = catalogue().flatMap(({ view, columns }) =>
    columns.flatMap(({ name: column, comment, origin }) => {
      const fields = fieldsOf(origin).map((one) => `${one.source}.${one.field}`);
      // Prefers the column that shows little else.
      const parts = fields.length + (field.endsWith(`.${column}`) ? 0 : 0.5);
      return fields.includes(field) ? [{ column: `${view}.${column}`, comment, parts }] : [];
    }),
  );
  return shown.sort((a, b) => a.parts - b.parts)[0];
}

const origins = {
  found: 'found automatically',
  command: 'set by airank map',
  configuration: 'set in airank.config.yaml',
} as const;

const mostWeighed = 3;

/** Says where a field is or might be, and why. */
async function fieldLines(
  { db, settings, colors }: MapWork,
  place: FieldPlace,
  { field, type, path, origin, filled, read, hasData }: MappingLine,
): Promise<string[]> {
  const meaning = meaningOf(field);
  const about = `: ${meaning?.comment ?? type} (${type})`;
  const shares = [
    ...(hasData ? [] : ['not checked: no records of its stream yet']),
    ...(filled === null ? [] : [`${percent(filled)} filled`]),
    ...(read === null ? [] : [`${percent(read)} of it read`]),
  ].join(', ');
  const isKnown = origin !== null;
  const where = isKnown
    ? (path ?? 'nowhere')
    : hasData
      ? 'not found'
      : 'not found, no records of its stream yet';
  const sign = isKnown ? colors.green('✓') : colors.yellow('!');
  const weighed = (await weighField(db, place)).slice(0, mostWeighed);
  return [
    `${sign} ${field} is ${where}${about}`,
    ...(isKnown ? [`  ${origins[origin]}${path === null || shares === '' ? '' : `; ${shares}`}`] : []),
    ...weighed.map(
      (one) => `  ${one.path}  ${one.score.toFixed(2)}  ${one.why}; ${percent(one.filled)} filled`,
    ),
    ...(weighed.length === 0
      ? []
      : [`  Chosen automatically from a score of ${sure}, if ${margin} better than the next.`]),
    ...(meaning === undefined
      ? []
      : [`  ${path === null ? 'Empty until then' : 'Shown'}: ${meaning.column}`]),
  ].map((line) => settings.scrub(line));
}

/** Fields that are not found and have proposals, the surest first. */
function inDoubt(
  lines: readonly MappingLine[],
  configured: Readonly<Record<string, unknown>>,
): MappingLine[] {
  const score = ({ proposals }: MappingLine) => proposals[0]?.score ?? 0;
  const isOpen = ({ field, origin, proposals }: MappingLine) =>
    origin === null && proposals.length > 0 && !(field in configured);
  return lines.filter(isOpen).sort((a, b) => score(b) - score(a));
}

const mostShown = 24;

const proposalRows = ({ proposals }: MappingLine) =>
  proposals.map(({ path, score, examples }, index) => [
    String(index + 1),
    path,
    score.toFixed(2),
    examples
      .slice(0, 2)
      .map((text) => cutText(text, mostShown))
      .join(' · '),
  ]);

/**
 * Asks about the fields that are in doubt, the likeliest first. Each answer is stored at once.
 * @returns exit code
 */
async function answerQuestions(work: MapWork, asker: Asker, lines: readonly MappingLine[]): Promise<number> {
  const { terminal, db, settings } = work;
  const { mapping } = settings.config;
  const said = new Set<string>();
  const skipped = new Set<string>();
  const answers = () =>
    `${plural(said.size, 'field')} set${skipped.size === 0 ? '' : `, ${skipped.size} skipped`}`;
  let open = inDoubt(lines, mapping);
  try {
    for (;;) {
      const [line] = open;
      if (line === undefined) break;
      const { field } = line;
      const answer = await ask(work, asker, line, open.length);
      if (answer === 'q') break;
      if (answer === undefined) {
        show(terminal, `\n${answers()}; the next sync updates the views, or now: airank migrate`);
        return 1;
      }
      if (answer === 's') skipped.add(field);
      else {
        await store(db, field, answer.path);
        said.add(field);
        const { source } = parseFieldPlace(field);
        // A path that has a field is no longer proposed for others, and a list of rows brings new fields.
        const fresh = await readMappingLines(db, [source]);
        const others = open.filter((one) => parseFieldPlace(one.field).source !== source);
        open = inDoubt([...others, ...fresh], mapping);
      }
      open = open.filter((one) => !skipped.has(one.field) && !said.has(one.field));
    }
  } finally {
    asker.close();
  }
  if (said.size + skipped.size === 0 && open.length === 0) show(terminal, 'No field is in doubt.');
  show(terminal, `\n${work.colors.green('✓')} ${answers()}. ${await rebuild(work)}`);
  return 0;
}

type Answer = { readonly path: string | null } | 's' | 'q' | undefined;

async function ask(
  { terminal, width, colors }: MapWork,
  asker: Asker,
  line: MappingLine,
  open: number,
): Promise<Answer> {
  const { field, type, proposals } = line;
  const meaning = meaningOf(field);
  const none = field.endsWith('(rows)')
    ? 'the list whose elements are its rows'
    : 'views join or filter by it';
  const lines = [
    '',
    `${open === 1 ? 'The last one' : `1 of ${open} in doubt`}: ${colors.bold(field)}, ${meaning?.comment ?? none} (${type})`,
    ...(meaning === undefined ? [] : [`  ${meaning.column} is empty until then`]),
    ...table(proposalRows(line), { width, indent: '  ', head: false, wraps: ['3'] }),
  ];
  show(terminal, lines.join('\n'));
  const keys = proposals.length === 1 ? '1' : `1-${proposals.length}`;
  for (;;) {
    const answer = (await asker.line(`${keys} choose, n not in the data, s skip, q stop:`))?.toLowerCase();
    const chosen = proposals[Number(answer) - 1];
    if (chosen !== undefined) return { path: chosen.path };
    if (answer === 'n') return { path: null };
    if (answer === 's' || answer === 'q' || answer === undefined) return answer;
  }
}

/** Rounds to whole percent; 0 and 100 only if exact. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  const honest = share > 0 && rounded === 0 ? '< 1' : share < 1 && rounded === 100 ? '> 99' : String(rounded);
  return `${honest} %`;
}
