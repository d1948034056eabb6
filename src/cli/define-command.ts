// The definition of a command: arguments and flags with types that follow from their text, help, and work.

import { Argument, type Command, Option } from 'commander';
import { ConfigError } from '../core/errors.ts';
import { columnsOf } from './print/text.ts';
import { show, type Terminal } from './terminal.ts';

interface FlagSpec {
  readonly about: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly parse?: (text: string) => unknown;
  readonly repeats?: true;
  readonly required?: true;
}

/** Flags as commander writes them: `--json`, `--limit <number>`, `--no-wait`. A string is the help text alone. */
type FlagSpecs = Readonly<Record<string, string | FlagSpec>>;
type ArgSpecs = readonly (readonly [name: string, about: string])[];

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Long<Flag> = Flag extends `${string}, ${infer Last}`
  ? Long<Last>
  : Flag extends `--${infer Name} <${string}`
    ? Name
    : Flag extends `--${infer Name}`
      ? Name
      : never;
type KeyOf<Flag> = Long<Flag> extends `no-${infer Name}` ? Camel<Name> : Camel<Long<Flag>>;
type IsSure<Flag, Spec, Specs> = Flag extends `--no-${infer Name}`
  ? `--${Name}` extends keyof Specs
    ? false
    : true
  : Spec extends { default: string } | { repeats: true } | { required: true }
    ? true
    : false;
type ValueOf<Flag, Spec> = Flag extends `--no-${string}`
  ? boolean
  : Spec extends { parse: (text: string) => infer Value }
    ? Value
    : Spec extends { repeats: true }
      ? readonly string[]
      : Spec extends { choices: readonly (infer Choice)[] }
        ? Choice
        : Flag extends `${string}<${string}`
          ? string
          : true;

/** `{ '--run-date <date>': '…', '--no-wait': '…' }` as `{ runDate?: string; wait: boolean }`. */
export type FlagsOf<Specs> = {
  readonly [Flag in keyof Specs as IsSure<Flag, Specs[Flag], Specs> extends true
    ? KeyOf<Flag>
    : never]: ValueOf<Flag, Specs[Flag]>;
} & {
  readonly [Flag in keyof Specs as IsSure<Flag, Specs[Flag], Specs> extends true
    ? never
    : KeyOf<Flag>]?: ValueOf<Flag, Specs[Flag]>;
};

type ArgOf<Spec> = Spec extends readonly [infer Name, string]
  ? Name extends `${string}...${string}`
    ? readonly string[]
    : Name extends `[${string}`
      ? string | undefined
      : string
  : never;
type ArgsOf<Args extends ArgSpecs> = { -readonly [Index in keyof Args]: ArgOf<Args[Index]> };

export interface Call<Flags = unknown> {
  readonly terminal: Terminal;
  readonly flags: Flags;
  /** Columns of stdout, for tables: other lines are folded as they are printed. */
  readonly width: number;
  /** Prints the value as JSON with --json, else the lines. */
  print(json: unknown, lines: string | readonly string[]): void;
}

interface Definition<Flags extends FlagSpecs, Above extends FlagSpecs, Args extends ArgSpecs> {
  readonly about: string;
  readonly args?: Args;
  readonly flags?: Flags;
  /** Flags of the command above it that it takes too, before or after its name. */
  readonly above?: Above;
  readonly help?: string;
  readonly commands?: Readonly<Record<string, CommandDefinition>>;
  /** The expected names, for a user who misspelt a command below this one. */
  readonly expected?: string;
  /** Leaves the command out of --help: it runs by itself or is rarely needed. */
  readonly hidden?: true;
  /** Passes on everything after the first argument, flags included. */
  readonly handsOn?: true;
  readonly run?: Run<FlagsOf<Flags & Above>, ArgsOf<Args>>;
}

/** Resolves to the exit code; 0 without one. */
type Run<Flags, Args extends readonly unknown[]> =
  | ((call: Call<Flags>, ...args: Args) => Promise<number | undefined>)
  | ((call: Call<Flags>, ...args: Args) => Promise<void>);

export interface CommandDefinition extends Omit<Definition<FlagSpecs, FlagSpecs, ArgSpecs>, 'run'> {
  readonly run?: (call: Call<object>, ...args: unknown[]) => Promise<number | undefined>;
}

export function defineCommand<
  const Flags extends FlagSpecs = Record<never, string>,
  const Above extends FlagSpecs = Record<never, string>,
  const Args extends ArgSpecs = [],
>(definition: Definition<Flags, Above, Args>): CommandDefinition {
  return definition as unknown as CommandDefinition;
}

/** Shared by the commands of a program. @param end takes the exit code */
interface ProgramContext extends Pick<Call, 'terminal'> {
  readonly end: (exitCode: number) => void;
}

export function addCommand(
  parent: Command,
  name: string,
  definition: CommandDefinition,
  context: ProgramContext,
): Command {
  const {
    about,
    args = [],
    flags = {},
    above = {},
    help,
    commands = {},
    expected,
    handsOn,
    run,
  } = definition;
  const { terminal } = context;
  const command = parent.command(name, { hidden: definition.hidden === true }).description(about);
  for (const [arg, text] of args) command.addArgument(new Argument(arg, text));
  for (const [flag, spec] of Object.entries({ ...flags, ...above })) command.addOption(optionOf(flag, spec));
  if (help !== undefined) command.addHelpText('after', help);
  if (handsOn) command.allowUnknownOption().passThroughOptions();
  // Otherwise a misspelt command below is reported as an argument too many.
  if (expected !== undefined) command.allowExcessArguments();
  for (const [below, one] of Object.entries(commands)) addCommand(command, below, one, context);
  if (run === undefined) return command;
  return command.action(async (...given: unknown[]) => {
    const [other] = command.args;
    if (expected !== undefined && other !== undefined) {
      throw new ConfigError([`Expected ${expected}, got ${pathOf(command)} ${other}`]);
    }
    const all: { readonly json?: true } = command.optsWithGlobals();
    const call: Call<object> = {
      terminal,
      flags: all,
      width: columnsOf(terminal.stdout),
      print: (json, lines) => {
        if (all.json) terminal.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
        else show(terminal, typeof lines === 'string' ? lines : lines.join('\n'));
      },
    };
    context.end((await run(call, ...given.slice(0, args.length))) ?? 0);
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function optionOf(flag: string, spec: string | FlagSpec): Option {
  if (typeof spec === 'string') return new Option(flag, spec);
  const option = new Option(flag, spec.about);
  const { choices, parse } = spec;
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  if (spec.repeats) {
    option.argParser((text: string, before: readonly string[]) => [...before, text]).default([]);
  }
  if (spec.default !== undefined) option.default(spec.default);
  return option.makeOptionMandatory(spec.required === true);
}
