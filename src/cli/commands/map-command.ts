// airank map: where fields of the curated views are in the data, as one field, questions on a terminal, or the section
// of the configuration.

import { ConfigError } from '../../core/errors.ts';
import { type FieldPlace, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingLine, readMappingLines, weighField } from '../../mapping/mapping-lines.ts';
import { readMapping } from '../../mapping/mapping-rows.ts';
import { openAsker } from '../ask.ts';
import { defineCommand } from '../define-command.ts';
import { columnsOf } from '../print/text.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';
import { acceptProposals, answerQuestions, changeField, inDoubt, type MapWork } from './map-change.ts';
import { fieldLines, mappingYaml, meanings, reckoningLines, sampleLines } from './map-text.ts';

interface MapFlags {
  readonly none?: true;
  readonly auto?: true;
  readonly samples?: true;
  readonly accept?: string;
  readonly yaml?: true;
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
    '--samples': 'show proposals with examples from the data',
    '--accept <score>': 'take each proposal of at least that score, 0 to 1, that is better than the others',
    '--yaml': 'print what is in force as the mapping section of airank.config.yaml',
    ...demoFlag,
    '--json': 'print the fields as JSON on stdout; with --samples also examples',
  },
  help: `
On a terminal it asks about the fields that are in doubt, the likeliest first,
and applies the answers; in a pipe it prints them as --samples does. What stands
under mapping: in airank.config.yaml wins, and is changed there only. --yaml
holds no value of the data: it can stand in git.

Exit codes:
  0  done
  1  stopped
  2  a path reads nothing, the configuration maps the field, or nothing is
     published yet

Examples:
  $ airank map                                  # answer what is in doubt
  $ airank map --samples                        # proposals with examples
  $ airank map --accept 0.9                     # take what is all but sure
  $ airank map rank_now.score resultado.total   # say where a field is
  $ airank map products.currency '^^moneda'     # it stands beside the list
  $ airank map rank_now.kind --none             # say that it is nowhere
  $ airank map --yaml                           # what is in force`,
  async run({ terminal, flags }, field, path) {
    const accept = flags.accept === undefined ? undefined : scoreOf(flags.accept);
    checkUsage(field, path, flags);
    const place = field === undefined ? undefined : parseFieldPlace(field);
    return await useWarehouse(
      terminal,
      flags,
      { schema: 'migrate_only', orDemo: true },
      async ({ db }, settings) => {
        const work: MapWork = { terminal, db, settings };
        if (field !== undefined && (path !== undefined || flags.none || flags.auto)) {
          await changeField(work, field, flags.auto ? undefined : flags.none ? null : path);
          return 0;
        }
        if (flags.yaml) {
          terminal.stdout.write(mappingYaml(await readMapping(db), settings.config.mapping));
          return 0;
        }
        const lines = (await readMappingLines(db, place && [place.source])).filter(
          (line) => field === undefined || line.field === field,
        );
        if (flags.json) {
          terminal.stdout.write(
            `${JSON.stringify(flags.samples ? lines : lines.map(withoutExamples), null, 2)}\n`,
          );
          return 0;
        }
        if (place !== undefined) {
          await showField(work, place, lines);
          return 0;
        }
        refuseWithoutData(lines);
        if (accept !== undefined) {
          await acceptProposals(work, lines, accept);
          return 0;
        }
        const isAsked = terminal.stdout.isTTY && !flags.samples;
        const asker = isAsked ? openAsker(terminal, terminal.stdout) : undefined;
        if (asker !== undefined) return await answerQuestions(work, asker, lines);
        const doubtful = sampleLines(inDoubt(lines, settings.config.mapping), columnsOf(terminal.stdout));
        terminal.stdout.write(`${settings.scrub(doubtful.join('\n'))}\n`);
        return 0;
      },
    );
  },
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
  const ofAll = flags.accept === undefined ? flags.yaml && '--yaml' : '--accept';
  const beside = [field, flags.samples, flags.json, ofAll === '--accept' ? flags.yaml : undefined];
  if (ofAll !== undefined && beside.some((one) => one !== undefined))
    throw new ConfigError([`Expected ${ofAll} alone or with --demo: it is about all fields`]);
}

function refuseWithoutData(lines: readonly MappingLine[]): void {
  if (lines.some(({ hasData }) => hasData)) return;
  throw new ConfigError([
    'Nothing is published yet, so there is no data to find fields in. Run: airank sync',
  ]);
}

const withoutExamples = (line: MappingLine) => ({
  ...line,
  proposals: line.proposals.map(({ examples: _, ...proposal }) => proposal),
});

async function showField(
  { terminal, db }: MapWork,
  place: FieldPlace,
  lines: readonly MappingLine[],
): Promise<void> {
  const width = columnsOf(terminal.stdout);
  const text = [
    ...lines.flatMap((line) => fieldLines(line, meanings().get(line.field), width)),
    ...reckoningLines(await weighField(db, place), width),
  ];
  terminal.stdout.write(`${text.join('\n')}\n`);
}
