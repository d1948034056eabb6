// airank map test and apply: what a file of the mapping would change, and changing it.
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { fieldNames } from '../../mapping/mapping-lines.ts';
import { type DryRun, dryRunMapFile } from '../../publish/map-file/dry-run.ts';
import type { Overrides } from '../../publish/map-file/overrides.ts';
import { type MapEntry, overridesIn } from '../../publish/map-file/read-map-file.ts';
import { summarize } from '../../status/view-readiness.ts';
import type { Settings, Terminal } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';
import { appliedText, applyMapping, mapFileName, openMapFile } from './map-change.ts';
import { dryRunLines, nothingText } from './map-text.ts';

export const testCommand = defineCommand({
  about: 'show what the file would change: which columns gain or lose values',
  args: [['[file]', 'default: airank.map.yaml']],
  flags: { ...demoFlag, '--json': 'print it as JSON on stdout' },
  help: `
Changes nothing. Shares are of a sample: up to 1,000 records of each stream.

Exit codes: 0 it can be applied, 2 a line is wrong or reads nothing

Examples:
  $ airank map test
  $ airank map test shared/airank.map.yaml --json | jq '.columns'`,
  async run({ terminal, flags, print, width }, named) {
    await withFile(terminal, named, flags, async ({ name, outcome, lines }) => {
      const apply = `Apply it: airank map apply${named === undefined ? '' : ` ${named}`}`;
      const text = textOf(name, lines, outcome, width);
      print({ file: name, lines, ...outcome }, outcome.changes.length === 0 ? text : [text, '', apply]);
    });
  },
});

export const applyCommand = defineCommand({
  about: 'check the file as test does, store it, and read the tables anew',
  args: [['[file]', 'default: airank.map.yaml']],
  flags: { ...demoFlag, '--json': 'print it as JSON on stdout' },
  help: `
What stands in the file holds. A line less goes back to what is found, and
airank.config.yaml wins over it. Tables are filled beside the old ones: until
then the views show the old mapping. Killed half-way, it goes on when run again.

Exit codes: 0 applied, 1 stopped, 2 a line is wrong or reads nothing

Examples:
  $ airank map apply
  $ airank map apply shared/airank.map.yaml`,
  async run({ terminal, flags, print, width }, named) {
    await withFile(terminal, named, flags, async ({ name, outcome, lines, overrides, db, settings }) => {
      if (!flags.json) terminal.stdout.write(`${textOf(name, lines, outcome, width)}\n`);
      const applied = await applyMapping(terminal, db, settings, overrides);
      const report = {
        file: name,
        lines,
        ...outcome,
        refilled: applied.rebuilt,
        views: summarize(applied.views),
      };
      print(report, `\n${appliedText(applied)}`);
    });
  },
});

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
  flags: Which,
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

function textOf(name: string, lines: number, outcome: DryRun, width: number): string {
  return `${name}: ${plural(lines, 'line')}\n\n${dryRunLines(outcome, width).join('\n')}`;
}
