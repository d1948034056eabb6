// Changes of the mapping beside the file: one field, all proposals from a score on, or answers on a terminal.
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import type { Executor } from '../../db/database.ts';
import { canonical, parseFieldPlace } from '../../mapping/change-mapping.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import { readSaid } from '../../publish/map-file/apply-said.ts';
import { foresee } from '../../publish/map-file/foresee.ts';
import { foreseenLines, nothingText } from '../print/print-map.ts';
import { table } from '../print/table.ts';
import { columnsOf, wrap } from '../print/wrap.ts';
import { appliedText, applyMapping, noteInFile } from './apply-mapping.ts';
import { askMapping, inDoubt } from './ask-mapping.ts';
import type { Settings, Terminal } from './context.ts';

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
  const foreseen = await foresee(db, said, configured);
  const nothing = foreseen.nothing.find((one) => one.field === field);
  if (nothing !== undefined) throw new ConfigError([nothingText(nothing, undefined)]);
  const own = {
    ...foreseen,
    overruled: [],
    partly: foreseen.partly.filter((one) => one.field === field),
    unchecked: foreseen.unchecked.filter((one) => one === field),
  };
  terminal.stdout.write(`${foreseenLines(own, columnsOf(terminal.stdout)).join('\n')}\n\n`);
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
  work: MapWork & { readonly terminal: Terminal & { readonly stdin: NodeJS.ReadStream } },
  lines: readonly MappingLine[],
): Promise<number> {
  const { terminal, db, settings, file } = work;
  const { said, end, skipped } = await askMapping(terminal, db, lines, settings.config.mapping);
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
  await applyAndTell(work, await readSaid(db), said);
  return 0;
}

type Decided = ReadonlyMap<string, string | null | undefined>;

async function withDecided(db: Executor, decided: Decided): Promise<ReadonlyMap<string, string | null>> {
  const all = new Map<string, string | null | undefined>([...(await readSaid(db)), ...decided]);
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
