// Changes of the mapping: asked for, checked, applied.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readIfThere } from '../../config/sources.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { catalogue } from '../../db/code/catalogue.ts';
import type { Executor } from '../../db/database.ts';
import { canonical, mapField, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingLine, readMappingLines } from '../../mapping/mapping-lines.ts';
import { dryRunMapFile } from '../../publish/map-file/dry-run.ts';
import { type Meaning, mapGroups, meanings } from '../../publish/map-file/map-groups.ts';
import type { Overrides } from '../../publish/map-file/overrides.ts';
import { applyOverrides, readOverrides } from '../../publish/map-file/overrides.ts';
import { type MapFile, readMapFile } from '../../publish/map-file/read-map-file.ts';
import { type WrittenMap, writeMapFile } from '../../publish/map-file/write-map-file.ts';
import type { MappingListener } from '../../publish/views/refresh-mapping.ts';
import { type Readiness, readReadiness } from '../../status/view-readiness.ts';
import type { Settings, Terminal } from '../context.ts';
import { readinessLine } from '../print/readiness.ts';
import { bar, redraw } from '../print/redraw.ts';
import { table } from '../print/table.ts';
import { columnsOf, wrap } from '../print/words.ts';
import type { Asker } from '../terminal.ts';
import { dryRunLines, mapQuestionLines, nothingText } from './map-text.ts';

/** How far the tables are that are read through a new mapping, on stderr. */
interface RebuildProgress {
  readonly listen: MappingListener;
  /** Removes the line. */
  stop(): void;
}

/** @param signal ends the work before the next slice */
function createRebuildProgress(stderr: NodeJS.WriteStream, signal: AbortSignal): RebuildProgress {
  const most = new Map<string, number>();
  let shown = '';
  const { stop } = redraw(stderr, (width) => (width === undefined || shown === '' ? [] : [shown]));
  return {
    listen: (progress) => {
      signal.throwIfAborted();
      const { source, open, table, tables } = progress;
      const slices = Math.max(most.get(source) ?? 0, open);
      if (stderr.isTTY !== true && !most.has(source)) {
        stderr.write(`reading ${source} anew, ${plural(slices, 'slice')} (table ${table} of ${tables})\n`);
      }
      most.set(source, slices);
      const done = (table - 1 + (slices === 0 ? 1 : (slices - open) / slices)) / tables;
      shown = `${bar(done)} table ${table} of ${tables}: ${source}, ${slices - open} of ${plural(slices, 'slice')}`;
    },
    stop,
  };
}

/** In the working folder; the demo has one of its own. */
export const mapFileName = (isDemo: boolean) => (isDemo ? 'airank.demo.map.yaml' : 'airank.map.yaml');

/** @throws ConfigError when it is there and cannot be read */
export function findMapFile(cwd: string, name: string): MapFile | undefined {
  const { text, failure } = readIfThere(resolve(cwd, name), (path) => readFileSync(path, 'utf8'));
  if (failure !== undefined)
    throw new ConfigError([`Expected ${name} to be a file that can be read, got ${failure}`]);
  return text === undefined ? undefined : readMapFile(text, name);
}

/** @throws ConfigError when it is not there */
export function openMapFile(cwd: string, name: string): MapFile {
  const file = findMapFile(cwd, name);
  if (file === undefined) {
    throw new ConfigError([
      `Expected ${name} to be there, got no such file. airank map writes it; another one: airank map test FILE`,
    ]);
  }
  return file;
}

interface MapText {
  readonly settings: Settings;
  readonly lines: readonly MappingLine[];
  readonly before: MapFile | undefined;
  readonly all?: boolean;
  readonly decided?: ReadonlyMap<string, string | null | undefined>;
}

export function mapText({ settings, lines, before, all, decided }: MapText): WrittenMap {
  const groups = mapGroups(
    catalogue().filter(({ schema }) => schema !== 'bi_history'),
    lines.map(({ field }) => field),
  );
  return writeMapFile(
    { groups, lines, configured: settings.config.mapping, all: all === true },
    before,
    decided,
  );
}

/** @throws ConfigError when it cannot be written */
export function storeMapFile(cwd: string, name: string, text: string): void {
  const path = resolve(cwd, name);
  const next = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(next, text);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new ConfigError([`Expected ${name} to be a file that can be written, got ${messageOf(error)}`]);
  }
}

/** Applies what people said of fields, shows how far it is, and says what came of it. */
interface AppliedMapping {
  readonly rebuilt: readonly string[];
  readonly views: Readiness;
}

export async function applyMapping(
  terminal: Terminal,
  db: Executor,
  { config }: Settings,
  said: Overrides,
): Promise<AppliedMapping> {
  const progress = createRebuildProgress(terminal.stderr, terminal.signal);
  try {
    const { rebuilt } = await applyOverrides(db, said, config.mapping, progress.listen);
    return { rebuilt, views: await readReadiness(db) };
  } finally {
    progress.stop();
  }
}

export function appliedText({ rebuilt, views }: AppliedMapping): string {
  const tables =
    rebuilt.length === 0 ? 'No table had to be read anew' : `${plural(rebuilt.length, 'table')} read anew`;
  return `${tables}. ${readinessLine(views)}`;
}

/** A file that is there says so too, so that applying it does not undo what was said beside it. */
async function noteInFile(
  { cwd, stderr }: Terminal,
  db: Executor,
  settings: Settings,
  name: string,
  decided: ReadonlyMap<string, string | null | undefined>,
): Promise<void> {
  const before = findMapFile(cwd, name);
  if (before === undefined || decided.size === 0) return;
  const { text } = mapText({ settings, lines: await readMappingLines(db), before, decided });
  storeMapFile(cwd, name, text);
  stderr.write(`${name} says so too.\n`);
}

/**
 * Asks somebody at a terminal about the fields that are in doubt, the likeliest first. Each answer is stored at once.
 */
interface Answers {
  /** By field; null: nowhere. */
  readonly said: ReadonlyMap<string, string | null>;
  /** `interrupted`: by Ctrl-C or a signal. */
  readonly end: 'done' | 'stopped' | 'interrupted';
  readonly skipped: number;
}

/** Fields that are not found and have proposals, the surest first. */
export function inDoubt(
  lines: readonly MappingLine[],
  configured: Readonly<Record<string, string | null>>,
): MappingLine[] {
  const score = ({ proposals }: MappingLine) => proposals[0]?.score ?? 0;
  return lines
    .filter(
      ({ field, origin, proposals }) => origin === null && proposals.length > 0 && !(field in configured),
    )
    .sort((a, b) => score(b) - score(a));
}

async function askMapping(
  asker: Asker,
  terminal: Terminal,
  db: Executor,
  lines: readonly MappingLine[],
  configured: Readonly<Record<string, string | null>>,
): Promise<Answers> {
  const meaningOf = meanings();
  const said = new Map<string, string | null>();
  const skipped = new Set<string>();
  let open = inDoubt(lines, configured);
  try {
    for (;;) {
      const [line] = open;
      if (line === undefined) return { said, end: 'done', skipped: skipped.size };
      const answer = await ask(asker, terminal, line, meaningOf.get(line.field), open.length);
      if (answer === 'stopped' || answer === 'interrupted')
        return { said, end: answer, skipped: skipped.size };
      if (answer === 'skip') skipped.add(line.field);
      else {
        const place = parseFieldPlace(line.field);
        await mapField(db, place, answer.path);
        said.set(line.field, answer.path);
        // A path that has a field is no longer proposed for others, and a list of rows brings new fields.
        const fresh = await readMappingLines(db, [place.source]);
        const others = open.filter(({ field }) => parseFieldPlace(field).source !== place.source);
        open = inDoubt([...others, ...fresh], configured);
      }
      open = open.filter(({ field }) => !skipped.has(field) && !said.has(field));
    }
  } finally {
    asker.close();
  }
}

type Answer = { readonly path: string | null } | 'skip' | 'stopped' | 'interrupted';

async function ask(
  asker: Asker,
  { stdout }: Terminal,
  line: MappingLine,
  meaning: Meaning | undefined,
  open: number,
): Promise<Answer> {
  const about = mapQuestionLines(line, meaning, open, columnsOf(stdout));
  const question = about.pop() ?? '';
  stdout.write(`${about.join('\n')}\n`);
  for (;;) {
    const answer = (await asker.line(question))?.toLowerCase();
    const chosen = line.proposals[Number(answer) - 1];
    if (chosen !== undefined) return { path: chosen.path };
    if (answer === 'n') return { path: null };
    if (answer === 's') return 'skip';
    if (answer === 'q') return 'stopped';
    if (answer === undefined) return 'interrupted';
  }
}

/**
 * Changes of the mapping beside the file: one field, all proposals from a score on, or answers on a terminal.
 */
export interface MapWork {
  readonly terminal: Terminal;
  readonly db: Executor;
  readonly settings: Settings;
  /** The file that says it too, where there is one. */
  readonly file: string;
}

/** @param path null: nowhere; undefined: back to what is found. @throws ConfigError when it reads nothing */
export async function changeField(
  work: MapWork,
  field: string,
  path: string | null | undefined,
): Promise<void> {
  const { terminal, db, settings } = work;
  const { mapping: configured } = settings.config;
  parseFieldPlace(field);
  if (field in configured) {
    throw new ConfigError([`${field} is mapped by the configuration file (mapping); change it there`]);
  }
  const decided = new Map([[field, path === undefined ? undefined : canonical(field, path)]]);
  const said = await withDecided(db, decided);
  const outcome = await dryRunMapFile(db, said, configured);
  const nothing = outcome.nothing.find((one) => one.field === field);
  if (nothing !== undefined) throw new ConfigError([nothingText(nothing, undefined)]);
  const own = {
    ...outcome,
    overruled: [],
    partly: outcome.partly.filter((one) => one.field === field),
    unchecked: outcome.unchecked.filter((one) => one === field),
  };
  terminal.stdout.write(`${dryRunLines(own, columnsOf(terminal.stdout)).join('\n')}\n\n`);
  await applyAndTell(work, said, decided);
}

export async function acceptProposals(
  work: MapWork,
  lines: readonly MappingLine[],
  score: number,
): Promise<void> {
  const { terminal, db, settings } = work;
  const good = inDoubt(lines, settings.config.mapping).flatMap(({ field, proposals: [best, next] }) =>
    best === undefined || best.score < score
      ? []
      : [{ field, best, equal: next?.score === best.score ? next : undefined }],
  );
  // Which of two equal ones is meant, only a person knows.
  const open = good.filter(({ equal }) => equal !== undefined);
  const sure = good.filter(({ equal }) => equal === undefined);
  if (open.length > 0) {
    const left = open.map(({ field, best, equal }) => `${field} (${best.path}, ${equal?.path ?? ''})`);
    const text = `Left open, as two proposals are equally good: ${left.join('; ')}. airank map asks about them.`;
    terminal.stdout.write(`${wrap(text, columnsOf(terminal.stdout)).join('\n')}\n`);
  }
  if (sure.length === 0) {
    const other = open.length === 0 ? 'No proposal' : 'No other proposal';
    terminal.stdout.write(`${other} has a score of ${score} or more. airank map --samples shows all.\n`);
    return;
  }
  const rows = sure.map(({ field, best }) => [field, best.path, best.score.toFixed(2)]);
  const accepted = table([['field', 'path', 'score'], ...rows], {
    width: columnsOf(terminal.stdout),
    indent: '  ',
  });
  terminal.stdout.write(`${plural(sure.length, 'proposal')} accepted:\n${accepted.join('\n')}\n\n`);
  const decided = new Map(sure.map(({ field, best }) => [field, best.path]));
  await applyAndTell(work, await withDecided(db, decided), decided);
}

/** @returns exit code */
export async function answerQuestions(
  work: MapWork,
  asker: Asker,
  lines: readonly MappingLine[],
): Promise<number> {
  const { terminal, db, settings, file } = work;
  const { said, end, skipped } = await askMapping(asker, terminal, db, lines, settings.config.mapping);
  const answers = plural(said.size, 'answer');
  if (end === 'interrupted') {
    await noteInFile(terminal, db, settings, file, said);
    const stored =
      said.size === 0
        ? 'Nothing was answered.'
        : `${answers} stored; the views follow with the next sync, or: airank views refresh`;
    terminal.stdout.write(`\n${stored}\n`);
    return 1;
  }
  const rest = skipped === 0 ? '' : `, ${plural(skipped, 'field')} skipped`;
  terminal.stdout.write(
    said.size === 0 && skipped === 0 && end === 'done'
      ? 'No field is in doubt.\n'
      : `\n${answers} stored${rest}.\n`,
  );
  await applyAndTell(work, await readOverrides(db), said);
  return 0;
}

type Decided = ReadonlyMap<string, string | null | undefined>;

async function withDecided(db: Executor, decided: Decided): Promise<ReadonlyMap<string, string | null>> {
  const all = new Map<string, string | null | undefined>([...(await readOverrides(db)), ...decided]);
  return new Map([...all].flatMap(([field, path]) => (path === undefined ? [] : [[field, path] as const])));
}

async function applyAndTell(
  work: MapWork,
  said: ReadonlyMap<string, string | null>,
  decided: Decided,
): Promise<void> {
  const { terminal, db, settings, file } = work;
  await noteInFile(terminal, db, settings, file, decided);
  const applied = await applyMapping(terminal, db, settings, said);
  terminal.stdout.write(`${appliedText(applied)}\n`);
}
