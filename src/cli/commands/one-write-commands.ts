// airank writes show and skip: one write with everything, and those that are left as they are.
import type { Command } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { showWrite, type WriteDetail } from '../../writes/store/list-writes.ts';
import { skipWrite } from '../../writes/store/write-book.ts';
import { writeLines } from '../print/print-writes.ts';
import { columnsOf } from '../print/wrap.ts';
import type { Terminal } from '../setup/context.ts';
import { chooseWarehouse, useWarehouse } from '../setup/use-warehouse.ts';

interface Flags {
  readonly account?: string;
  readonly demo?: true;
  readonly json?: true;
}

export function addOneWriteCommands(writes: Command, terminal: Terminal): void {
  writes
    .command('show')
    .description('show one write with its counts and the answer')
    .argument('<write>', 'its number, as airank writes lists it')
    .addHelpText('after', '\nExamples:\n  $ airank writes show 17\n  $ airank writes show 17 --json')
    .action(async (text: string, _: unknown, command: Command) => {
      const flags: Flags = command.optsWithGlobals();
      const id = numberOf(text);
      await chooseWarehouse(terminal, flags, { orDemo: true }, async (warehouse, { scrub }) => {
        const found = warehouse === undefined ? [] : await showWrite(warehouse.db, id, flags.account);
        const write = only(id, found);
        terminal.stdout.write(
          flags.json
            ? `${JSON.stringify(write, null, 2)}\n`
            : `${scrub(writeLines(write, columnsOf(terminal.stdout)).join('\n'))}\n`,
        );
      });
    });
  writes
    .command('skip')
    .description('leave writes as they are: refused, unknown, or waiting; they are never sent again')
    .argument('<writes...>', 'their numbers, as airank writes lists them')
    .addHelpText('after', '\nExamples:\n  $ airank writes skip 17\n  $ airank writes skip 17 18')
    .action(async (texts: readonly string[], _: unknown, command: Command) => {
      const flags: Flags = command.optsWithGlobals();
      const ids = [...new Set(texts.map(numberOf))];
      await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ db }) => {
        const chosen: WriteDetail[] = [];
        for (const id of ids) chosen.push(only(id, await showWrite(db, id, flags.account)));
        const left = await Promise.all(chosen.map((write) => skipWrite(db, write)));
        const wrong = chosen.filter((_, index) => left[index] !== true);
        terminal.stdout.write(`${plural(ids.length - wrong.length, 'write')} left as they are\n`);
        if (wrong.length === 0) return;
        throw new ConfigError(
          wrong.map(
            ({ id, status }) =>
              `Expected writes that are refused, unknown or planned, got ${id}, which is ${status}`,
          ),
        );
      });
    });
}

/** @throws ConfigError when it is no number */
function numberOf(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new ConfigError([`Expected the number of a write, as airank writes lists it, got "${text}"`]);
}

/** @throws ConfigError when there is none, or one of each of several accounts */
function only(id: number, found: readonly WriteDetail[]): WriteDetail {
  const [write, another] = found;
  if (write === undefined)
    throw new ConfigError([`Expected the number of a write, as airank writes lists it, got ${id}`]);
  if (another === undefined) return write;
  const names = found.map(({ account }) => account).join(', ');
  throw new ConfigError([`Expected --account to be one of ${names}, which have a write ${id} each`]);
}
