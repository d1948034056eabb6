// airank map: where fields of the curated views are in the data, as one file, one field, or questions on a terminal.
import { resolve } from 'node:path';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { type MappingLine, readMappingLines } from '../../mapping/mapping-lines.ts';
import { meanings } from '../../publish/map-file/map-groups.ts';
import type { Terminal } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { columnsOf } from '../print/words.ts';
import { checkOutputFile, openAsker } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';
import {
  acceptProposals,
  answerQuestions,
  changeField,
  findMapFile,
  inDoubt,
  type MapWork,
  mapFileName,
  mapText,
  storeMapFile,
} from './map-change.ts';
import { applyCommand, testCommand } from './map-file-commands.ts';
import { fieldLines, sampleLines } from './map-text.ts';

interface MapFlags {
  readonly none?: true;
  readonly auto?: true;
  readonly output?: string;
  readonly all?: true;
  readonly samples?: true;
  readonly accept?: string;
  readonly demo?: true;
  readonly json?: true;
}

export const command = defineCommand({
  about: 'say where fields of the curated views are in the data',
  args: [
    ['[field]', 'as rank_now.score; alone: where it is, and what it might be'],
    ['[path]', 'as resultado.total (docs/views.md has the language of paths)'],
  ],
  flags: {
    '--none': 'the field is nowhere in the data',
    '--auto': 'back to what is found by itself',
    '--output <file>': 'write the file there; - is stdout (default: airank.map.yaml)',
    '--all': 'write the file with fields that nothing looks like, too',
    '--samples': 'show proposals with examples from the data; never in the file',
    '--accept <score>': 'take each proposal of at least that score, 0 to 1, that is better than the others',
    ...demoFlag,
    '--json': 'print the fields as JSON on stdout; with --samples also examples',
  },
  help: `
On a terminal it asks about the fields that are in doubt, the likeliest first,
and applies the answers. In a pipe, or with --output or --all, it writes one
file and keeps what people wrote in it. The file holds no value of the data: it
can stand in git. What stands in it can stand under mapping: in
airank.config.yaml.

Exit codes:
  0  done
  1  stopped
  2  a path reads nothing, or nothing is published yet

Examples:
  $ airank map                                  # answer what is in doubt
  $ airank map --output airank.map.yaml         # write the file
  $ airank map test                             # what it would change
  $ airank map apply                            # change it
  $ airank map --samples                        # proposals with examples
  $ airank map --accept 0.9                     # take what is all but sure
  $ airank map rank_now.score resultado.total   # say where a field is
  $ airank map products.currency '^^moneda'     # it stands beside the list
  $ airank map rank_now.kind --none             # say that it is nowhere`,
  async run({ terminal, flags }, field, path) {
    const accept = flags.accept === undefined ? undefined : scoreOf(flags.accept);
    checkUsage(field, path, flags);
    const { output = '-' } = flags;
    if (output !== '-') await checkOutputFile(resolve(terminal.cwd, output), output);
    return await useWarehouse(
      terminal,
      flags,
      { schema: 'migrate_only', orDemo: true },
      async ({ db }, settings) => {
        const file = mapFileName(settings.isDemo);
        const work: MapWork = { terminal, db, settings, file };
        if (field !== undefined && (path !== undefined || flags.none || flags.auto)) {
          await changeField(work, field, flags.auto ? undefined : flags.none ? null : path);
          return 0;
        }
        const lines = (await readMappingLines(db)).filter(
          (line) => field === undefined || line.field === field,
        );
        if (flags.json) {
          terminal.stdout.write(
            `${JSON.stringify(flags.samples ? lines : lines.map(withoutExamples), null, 2)}\n`,
          );
        } else if (field !== undefined) {
          await showField(work, field, lines);
        } else {
          refuseWithoutData(lines);
          if (accept !== undefined) await acceptProposals(work, lines, accept);
          else if (flags.samples && flags.output === undefined)
            writeSamples(terminal, terminal.stdout, work, lines);
          else {
            const isAsked = terminal.stdout.isTTY && flags.output === undefined && !flags.all;
            const asker = isAsked ? openAsker(terminal, terminal.stdout) : undefined;
            if (asker !== undefined) return await answerQuestions(work, asker, lines);
            await writeFile(work, lines, flags);
            const table = flags.output === '-' ? terminal.stderr : terminal.stdout;
            if (flags.samples) writeSamples(terminal, table, work, lines);
          }
        }
        return 0;
      },
    );
  },
  commands: { test: testCommand, apply: applyCommand },
});

function scoreOf(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1)) {
    throw new ConfigError([
      `Expected --accept to be a score from 0 to 1 such as 0.9, got ${JSON.stringify(text)}`,
    ]);
  }
  return score;
}

function checkUsage(field: string | undefined, path: string | undefined, flags: MapFlags): void {
  const changes = [path, flags.none, flags.auto].filter((one) => one !== undefined).length;
  if (changes > 1) throw new ConfigError(['Expected one of a path, --none and --auto']);
  if (changes === 1 && field === undefined)
    throw new ConfigError(['Expected a field before --none or --auto, as rank_now.score']);
  const ofAll = [flags.output, flags.accept, flags.all].some((one) => one !== undefined);
  if (field !== undefined && ofAll) {
    throw new ConfigError([
      'Expected --output, --all and --accept without a field: they are about all of them',
    ]);
  }
  if (flags.accept !== undefined && (flags.output !== undefined || flags.samples || flags.json)) {
    throw new ConfigError([
      'Expected --accept alone: it changes the mapping. airank map --output writes the file afterwards',
    ]);
  }
}

function refuseWithoutData(lines: readonly MappingLine[]): void {
  if (lines.some(({ hasData }) => hasData)) return;
  throw new ConfigError([
    'Nothing is published yet, so there is no data to find fields in. Run: airank sync. ' +
      'A file from elsewhere can be applied before: airank map apply FILE',
  ]);
}

const withoutExamples = (line: MappingLine) => ({
  ...line,
  proposals: line.proposals.map(({ examples: _, ...proposal }) => proposal),
});

async function showField({ terminal }: MapWork, field: string, lines: readonly MappingLine[]): Promise<void> {
  const [line] = lines;
  if (line === undefined)
    throw new ConfigError([
      `Expected a field of the curated views, got ${JSON.stringify(field)}. airank map --all --output - lists all`,
    ]);
  const text = fieldLines(line, meanings().get(field), columnsOf(terminal.stdout));
  terminal.stdout.write(`${text.join('\n')}\n`);
}

function writeSamples(
  terminal: Terminal,
  to: NodeJS.WriteStream,
  { settings }: MapWork,
  lines: readonly MappingLine[],
): void {
  const doubtful = inDoubt(lines, settings.config.mapping);
  to.write(`${settings.scrub(sampleLines(doubtful, columnsOf(terminal.stdout)).join('\n'))}\n`);
}

async function writeFile(work: MapWork, lines: readonly MappingLine[], flags: MapFlags): Promise<void> {
  const { terminal, settings } = work;
  const name = flags.output ?? work.file;
  const before = name === '-' ? undefined : findMapFile(terminal.cwd, name);
  const { text, added, orphans } = mapText({ settings, lines, before, all: flags.all === true });
  if (name === '-') {
    terminal.stdout.write(text);
    return;
  }
  storeMapFile(terminal.cwd, name, text);
  for (const field of orphans) {
    terminal.stderr.write(
      `${name}: there is no field ${field} any more; its line stays as a comment at the end.\n`,
    );
  }
  const overrides = new Set(before?.entries.map(({ field }) => field));
  const doubtful = inDoubt(lines, settings.config.mapping).filter(
    ({ field }) => !overrides.has(field),
  ).length;
  const news = added === 0 ? 'nothing new' : `${plural(added, 'new line')}; what was in it stays`;
  const first = before === undefined ? plural(added, 'line') : news;
  const suffix = name === work.file ? '' : ` ${name}`;
  terminal.stderr.write(
    `${name}: ${first}. ${plural(doubtful, 'field is', 'fields are')} in doubt (airank map --samples shows examples).\n` +
      `When it is right: airank map test${suffix}, then airank map apply${suffix}\n`,
  );
}
