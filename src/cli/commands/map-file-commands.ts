// airank map test and apply: what a file of the mapping would change, and changing it.
import type { Command } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { fieldNames } from '../../mapping/mapping-lines.ts';
import { type DryRun, dryRunMapFile } from '../../publish/map-file/dry-run.ts';
import type { Overrides } from '../../publish/map-file/overrides.ts';
import { type MapEntry, overridesIn } from '../../publish/map-file/read-map-file.ts';
import { summarize } from '../../status/view-readiness.ts';
import { columnsOf } from '../print/words.ts';
import type { Settings, Terminal } from '../setup/context.ts';
import { demoFlag, useWarehouse } from '../setup/use-warehouse.ts';
import { appliedText, applyMapping, mapFileName, openMapFile } from './map-change.ts';
import { dryRunLines, nothingText } from './map-text.ts';

interface FileFlags {
  readonly demo?: true;
  readonly json?: true;
}

export function addMapFileCommands(map: Command, terminal: Terminal): void {
  map
    .command('test')
    .description('show what the file would change: which columns gain or lose values')
    .argument('[file]', 'default: airank.map.yaml')
    .option(...demoFlag)
    .option('--json', 'print it as JSON on stdout')
    .addHelpText(
      'after',
      `
Changes nothing. Shares are of a sample: up to 1,000 records of each stream.

Exit codes: 0 it can be applied, 2 a line is wrong or reads nothing

Examples:
  $ airank map test
  $ airank map test shared/airank.map.yaml --json | jq '.columns'`,
    )
    .action(async (named: string | undefined, flags: FileFlags) => {
      await withFile(terminal, named, flags, async ({ name, outcome, lines }) => {
        terminal.stdout.write(
          flags.json
            ? `${JSON.stringify({ file: name, lines, ...outcome }, null, 2)}\n`
            : `${textOf(terminal, name, lines, outcome)}${outcome.changes.length === 0 ? '' : `\nApply it: airank map apply${named === undefined ? '' : ` ${named}`}\n`}`,
        );
      });
    });
  map
    .command('apply')
    .description('check the file as test does, store it, and read the tables anew')
    .argument('[file]', 'default: airank.map.yaml')
    .option(...demoFlag)
    .option('--json', 'print it as JSON on stdout')
    .addHelpText(
      'after',
      `
What stands in the file holds. A line less goes back to what is found, and
airank.config.yaml wins over it. Tables are filled beside the old ones: until
then the views show the old mapping. Killed half-way, it goes on when run again.

Exit codes: 0 applied, 1 stopped, 2 a line is wrong or reads nothing

Examples:
  $ airank map apply
  $ airank map apply shared/airank.map.yaml`,
    )
    .action(async (named: string | undefined, flags: FileFlags) => {
      await withFile(terminal, named, flags, async ({ name, outcome, lines, overrides, db, settings }) => {
        if (!flags.json) terminal.stdout.write(textOf(terminal, name, lines, outcome));
        const applied = await applyMapping(terminal, db, settings, overrides);
        const report = {
          file: name,
          lines,
          ...outcome,
          refilled: applied.rebuilt,
          views: summarize(applied.views),
        };
        terminal.stdout.write(
          flags.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${appliedText(applied)}\n`,
        );
      });
    });
}

interface CheckedFile {
  readonly name: string;
  readonly lines: number;
  readonly overrides: Overrides;
  readonly outcome: DryRun;
  readonly db: Executor;
  readonly settings: Settings;
}

/** @throws ConfigError naming each line that is wrong or reads nothing */
async function withFile(
  terminal: Terminal,
  named: string | undefined,
  flags: FileFlags,
  work: (file: CheckedFile) => Promise<void>,
): Promise<void> {
  await useWarehouse(terminal, flags, { schema: 'migrate_only', orDemo: true }, async ({ db }, settings) => {
    const name = named ?? mapFileName(settings.isDemo);
    const { entries } = openMapFile(terminal.cwd, name);
    const overrides = overridesIn(entries, name, fieldNames());
    const outcome = await dryRunMapFile(db, overrides, settings.config.mapping);
    if (outcome.nothing.length > 0) {
      if (flags.json)
        terminal.stdout.write(
          `${JSON.stringify({ file: name, lines: overrides.size, ...outcome }, null, 2)}\n`,
        );
      throw new ConfigError(
        outcome.nothing.map((one) => nothingText(one, `${name}:${lineOf(entries, one.field)}`)),
      );
    }
    await work({ name, lines: overrides.size, overrides, outcome, db, settings });
  });
}

const lineOf = (entries: readonly MapEntry[], field: string) =>
  entries.find((one) => one.field === field)?.line ?? 0;

function textOf(terminal: Terminal, name: string, lines: number, outcome: DryRun): string {
  const text = dryRunLines(outcome, columnsOf(terminal.stdout)).join('\n');
  return `${name}: ${plural(lines, 'line')}\n\n${text}\n`;
}
