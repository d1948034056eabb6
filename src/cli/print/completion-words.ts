// What a shell can complete, from the commands as they are: subcommands, options, and values that are known.
import type { Command, Option } from 'commander';

// What of the known words goes on from what is typed, a line each: the word, a tab, what it is.
export interface Candidate {
  readonly word: string;
  readonly about: string;
  /** Another way to say it, offered to those who begin to type it. */
  readonly name?: string;
}

/** @param isList the word that is typed is a list with commas, whose last entry is completed */
export function candidateLines(
  known: readonly Candidate[],
  typed: string,
  isList: boolean,
): readonly string[] {
  const cut = isList ? typed.search(/(?<!\\),(?!.*(?<!\\),)/s) + 1 : 0;
  const before = typed.slice(0, cut);
  const begun = fold(typed.slice(cut));
  const taken = new Set(before.split(/(?<!\\),/));
  const goesOn = (word: string) => fold(word).startsWith(begun) && isOneLine(word);
  return known.flatMap(({ word, about, name }) => {
    const written = isList ? word.replaceAll(',', '\\,') : word;
    if (taken.has(written)) return [];
    if (goesOn(written)) return [line(`${before}${written}`, about)];
    return name !== undefined && goesOn(name) ? [line(name, word)] : [];
  });
}

const fold = (text: string) => text.toLowerCase();
const isOneLine = (word: string) => word !== '' && !/\p{Cc}/u.test(word);
const line = (word: string, about: string) => `${word}\t${about.replaceAll(/\p{Cc}+/gu, ' ')}`;

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

interface CompletedOption {
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
