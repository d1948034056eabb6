// What a shell can complete, from the commands as they are: subcommands, options, and values that are known.
import type { Command, Option } from 'commander';

/** Words that only settings, job files and warehouse know. Those in the plural are lists with commas. */
export const wordKinds = [
  'job',
  'sync-job',
  'account',
  'accounts',
  'client',
  'client-id',
  'client-ids',
] as const;

export type WordKind = (typeof wordKinds)[number];

export interface CompletedOption {
  /** `--format`, and `-h` where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined: it takes none. Empty: any, such as a file. */
  readonly values: Values | undefined;
}

/** A kind is asked for while somebody types. */
export type Values = readonly string[] | WordKind;

export interface CompletedCommand {
  /** `airank jobs run`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Of its first argument. */
  readonly values: Values;
}

/** By the name of the option, or by the whole path of one that means something else. */
const optionKinds: Readonly<Record<string, WordKind>> = {
  '--job': 'sync-job',
  '--account': 'account',
  '--accounts': 'accounts',
  '--reopen': 'account',
  '--client': 'client',
  'airank export --client': 'client-id',
  '--clients': 'client-ids',
};

/** @param values of first arguments, by the path of the command */
export function completionWords(
  command: Command,
  values: Readonly<Record<string, Values>>,
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
      options: help.visibleOptions(command).map((option) => completedOption(name, option)),
      values: values[name] ?? [],
    },
    ...below.flatMap((one) => completionWords(one, values, path)),
  ];
}

function completedOption(path: string, option: Option): CompletedOption {
  const { long, short, description } = option;
  return {
    names: [long, short].filter((one) => one !== undefined && one !== null),
    description,
    values: valuesOf(path, option),
  };
}

function valuesOf(path: string, option: Option): Values | undefined {
  const { flags, long, required, optional, argChoices } = option;
  if (!required && !optional) return undefined;
  if (argChoices !== undefined) return argChoices;
  // As many, not which.
  if (flags.includes('<number>')) return [];
  return optionKinds[`${path} ${long}`] ?? optionKinds[long ?? ''] ?? [];
}

/** Paths below the program: what is a command where. */
export function pathsBelow(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.slice(1).map(({ path }) => path);
}
