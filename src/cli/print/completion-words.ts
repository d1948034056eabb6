// What a shell can complete, from the commands as they are: subcommands, options, and values that are known.
import type { Command, Option } from 'commander';

export interface CompletedOption {
  /** `--format`, and `-h` where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined: it takes none. Empty: any, such as a file. */
  readonly values: readonly string[] | undefined;
}

export interface CompletedCommand {
  /** `airank jobs run`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Of its first argument. */
  readonly values: readonly string[];
}

/** @param values of first arguments, by the path of the command */
export function completionWords(
  command: Command,
  values: Readonly<Record<string, readonly string[]>>,
  above: readonly string[] = [],
): readonly CompletedCommand[] {
  const path = [...above, command.name()];
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => command.commands.includes(one));
  const name = path.join(' ');
  return [
    {
      path: name,
      commands: below.map((one) => ({ name: one.name(), description: one.description() })),
      options: help.visibleOptions(command).map(completedOption),
      values: values[name] ?? [],
    },
    ...below.flatMap((one) => completionWords(one, values, path)),
  ];
}

function completedOption({
  long,
  short,
  description,
  required,
  optional,
  argChoices,
}: Option): CompletedOption {
  return {
    names: [long, short].filter((one) => one !== undefined && one !== null),
    description,
    values: required || optional ? (argChoices ?? []) : undefined,
  };
}

/** Paths below the program: what is a command where. */
export function pathsBelow(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.slice(1).map(({ path }) => path);
}
