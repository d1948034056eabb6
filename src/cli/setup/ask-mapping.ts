// Asks somebody at a terminal about the fields that are in doubt, the likeliest first. Each answer is stored at once.
import type { Executor } from '../../db/database.ts';
import { mapField, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingLine, readMappingLines } from '../../mapping/mapping-lines.ts';
import { type Meaning, meanings } from '../../publish/map-file/meanings.ts';
import { mapQuestionLines } from '../print/print-map-question.ts';
import { columnsOf } from '../print/wrap.ts';
import type { Terminal } from './context.ts';
import { readKeys } from './keys.ts';

export interface Answers {
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

export async function askMapping(
  terminal: Terminal & { readonly stdin: NodeJS.ReadStream },
  db: Executor,
  lines: readonly MappingLine[],
  configured: Readonly<Record<string, string | null>>,
): Promise<Answers> {
  const meaningOf = meanings();
  const keys = readKeys(terminal.stdin, terminal.signal);
  const said = new Map<string, string | null>();
  const skipped = new Set<string>();
  let open = inDoubt(lines, configured);
  try {
    for (;;) {
      const [line] = open;
      if (line === undefined) return { said, end: 'done', skipped: skipped.size };
      const answer = await ask(terminal, keys.next, line, meaningOf.get(line.field), open.length);
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
    keys.close();
  }
}

type Answer = { readonly path: string | null } | 'skip' | 'stopped' | 'interrupted';

async function ask(
  { stdout }: Terminal,
  next: () => Promise<string | undefined>,
  line: MappingLine,
  meaning: Meaning | undefined,
  open: number,
): Promise<Answer> {
  stdout.write(`${mapQuestionLines(line, meaning, open, columnsOf(stdout)).join('\n')} `);
  for (;;) {
    const key = (await next())?.toLowerCase();
    const chosen = line.proposals[Number(key) - 1];
    if (chosen !== undefined) return told(stdout, chosen.path, { path: chosen.path });
    if (key === 'n') return told(stdout, 'nowhere', { path: null });
    if (key === 's') return told(stdout, 'skipped', 'skip');
    if (key === 'q') return told(stdout, 'stopped', 'stopped');
    if (key === undefined) return told(stdout, 'interrupted', 'interrupted');
  }
}

function told(stdout: NodeJS.WriteStream, text: string, answer: Answer): Answer {
  stdout.write(`${text}\n`);
  return answer;
}
