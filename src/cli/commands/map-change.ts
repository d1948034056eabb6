// Changes of the mapping by `airank map`: one field, all proposals from a score on, or answers on a terminal.

import { explainPlace } from '../../config/explain-settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { canonical, mapField, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingLine, readMappingLines } from '../../mapping/mapping-lines.ts';
import { findUnreadablePath } from '../../mapping/unreadable-path.ts';
import { type MappingListener, refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { readReadiness } from '../../status/view-readiness.ts';
import type { Asker } from '../ask.ts';
import type { Settings } from '../context.ts';
import { readinessLine } from '../print/readiness.ts';
import { bar, redraw } from '../print/redraw.ts';
import { table } from '../print/table.ts';
import { columnsOf } from '../print/text.ts';
import { wrap } from '../print/words.ts';
import { show, type Terminal } from '../terminal.ts';
import { fieldLines, type Meaning, mapQuestionLines, meanings, nothingText } from './map-text.ts';

export interface MapWork {
  readonly terminal: Terminal;
  readonly db: Executor;
  readonly settings: Settings;
}

interface RebuildProgress {
  readonly listen: MappingListener;
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

/** Reads the tables with a changed mapping anew, shows the progress, and reports the result. */
async function rebuild({ terminal, db, settings }: MapWork): Promise<string> {
  const progress = createRebuildProgress(terminal.stderr, terminal.signal);
  try {
    const rebuilt = await refreshMapping(db, settings.config.mapping, progress.listen);
    const tables =
      rebuilt.length === 0 ? 'No table had to be read anew' : `${plural(rebuilt.length, 'table')} read anew`;
    return `${tables}. ${readinessLine(await readReadiness(db))}`;
  } finally {
    progress.stop();
  }
}

/** Stores where fields are, all or none; the views follow with the next rebuild. */
async function say(
  db: Executor,
  said: readonly (readonly [field: string, path: string | null | undefined])[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const [field, path] of said) await mapField(tx, parseFieldPlace(field), path);
  });
}

/**
 * Sets the path of a field.
 * @param path null: nowhere; undefined: back to what is found
 * @throws ConfigError when it reads nothing
 */
export async function changeField(
  work: MapWork,
  field: string,
  path: string | null | undefined,
): Promise<void> {
  const { terminal, db, settings } = work;
  const { mapping: configured } = settings.config;
  const place = parseFieldPlace(field);
  if (field in configured) {
    const line = explainPlace(terminal, ['mapping', field]);
    throw new ConfigError([
      `Expected a field that the configuration does not map, got ${field}, which ${line} maps. Change it there`,
    ]);
  }
  const wanted = path === undefined ? undefined : canonical(field, path);
  if (typeof wanted === 'string') {
    const nothing = await findUnreadablePath(db, place, wanted, configured);
    if (nothing !== undefined) throw new ConfigError([nothingText(field, wanted, nothing)]);
  }
  await say(db, [[field, path]]);
  const outcome = await rebuild(work);
  const lines = (await readMappingLines(db, [place.source])).filter((line) => line.field === field);
  const width = columnsOf(terminal.stdout);
  const text = lines.flatMap((line) => fieldLines(line, meanings().get(field), width));
  terminal.stdout.write(`${text.join('\n')}\n\n${outcome}\n`);
}

interface Answers {
  readonly stored: number;
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

/** Asks about the fields that are in doubt, the likeliest first. Each answer is stored at once. */
async function askMapping(
  asker: Asker,
  terminal: Terminal,
  db: Executor,
  lines: readonly MappingLine[],
  configured: Readonly<Record<string, string | null>>,
): Promise<Answers> {
  const meaningOf = meanings();
  const said = new Set<string>();
  const skipped = new Set<string>();
  let open = inDoubt(lines, configured);
  try {
    for (;;) {
      const [line] = open;
      if (line === undefined) return { stored: said.size, end: 'done', skipped: skipped.size };
      const answer = await ask(asker, terminal, line, meaningOf.get(line.field), open.length);
      if (answer === 'stopped' || answer === 'interrupted')
        return { stored: said.size, end: answer, skipped: skipped.size };
      if (answer === 'skip') skipped.add(line.field);
      else {
        const { source } = parseFieldPlace(line.field);
        await say(db, [[line.field, answer.path]]);
        said.add(line.field);
        // A path that has a field is no longer proposed for others, and a list of rows brings new fields.
        const fresh = await readMappingLines(db, [source]);
        const others = open.filter(({ field }) => parseFieldPlace(field).source !== source);
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
  // Only a person can choose between two equally good paths.
  const open = good.filter(({ equal }) => equal !== undefined);
  const sure = good.filter(({ equal }) => equal === undefined);
  if (open.length > 0) {
    const left = open.map(({ field, best, equal }) => `${field} (${best.path}, ${equal?.path ?? ''})`);
    const text = `Left open, as two proposals are equally good: ${left.join('; ')}. airank map asks about them.`;
    terminal.stdout.write(`${wrap(text, columnsOf(terminal.stdout)).join('\n')}\n`);
  }
  if (sure.length === 0) {
    const other = open.length === 0 ? 'No proposal' : 'No other proposal';
    show(terminal, `${other} has a score of ${score} or more. airank map --samples shows all.`);
    return;
  }
  const rows = sure.map(({ field, best }) => [field, best.path, best.score.toFixed(2)]);
  const accepted = table([['field', 'path', 'score'], ...rows], {
    width: columnsOf(terminal.stdout),
    indent: '  ',
  });
  terminal.stdout.write(`${plural(sure.length, 'proposal')} accepted:\n${accepted.join('\n')}\n\n`);
  await say(
    db,
    sure.map(({ field, best }) => [field, best.path]),
  );
  show(terminal, await rebuild(work));
}

/** @returns exit code */
export async function answerQuestions(
  work: MapWork,
  asker: Asker,
  lines: readonly MappingLine[],
): Promise<number> {
  const { terminal, db, settings } = work;
  const { stored, end, skipped } = await askMapping(asker, terminal, db, lines, settings.config.mapping);
  const answers = plural(stored, 'answer');
  if (end === 'interrupted') {
    const text =
      stored === 0
        ? 'Nothing was answered.'
        : `${answers} stored; the views follow with the next sync, or: airank views refresh`;
    terminal.stdout.write(`\n${text}\n`);
    return 1;
  }
  const rest = skipped === 0 ? '' : `, ${plural(skipped, 'field')} skipped`;
  terminal.stdout.write(
    stored === 0 && skipped === 0 && end === 'done'
      ? 'No field is in doubt.\n'
      : `\n${answers} stored${rest}.\n`,
  );
  show(terminal, await rebuild(work));
  return 0;
}
