// airank completion: a script that makes a shell complete commands, options and values that a command names.
import type { Command, Option } from 'commander';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { defineCommand } from '../define-command.ts';

interface CompletedOption {
  /** `--format`, and `-h` where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined: it takes none. Empty: any, such as a file. */
  readonly values: readonly string[] | undefined;
}

interface CompletedCommand {
  /** `airank jobs run`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Of its first argument. */
  readonly values: readonly string[];
}

/** @param values of first arguments, by the path of the command */
function completionWords(
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

function completedOption({ long, short, description, ...option }: Option): CompletedOption {
  const { required, optional, argChoices } = option;
  return {
    names: [long, short].filter((one) => one !== undefined && one !== null),
    description,
    values: required || optional ? (argChoices ?? []) : undefined,
  };
}

/** Paths below the program: what is a command where. */
function pathsBelow(commands: readonly CompletedCommand[]): readonly string[] {
  return commands.slice(1).map(({ path }) => path);
}

/** Lines that set `place` to the command that is being typed, of the array of words up to the one that is typed. */
function placeLoop(
  commands: readonly CompletedCommand[],
  { words, first, typed }: { readonly words: string; readonly first: number; readonly typed: string },
): readonly string[] {
  const word = `\${${words}[i]}`;
  return [
    `  for ((i = ${first}; i < ${typed}; i++)); do`,
    `    case "$place ${word}" in`,
    `      (${pathsBelow(commands).map(posixQuoted).join('|')}) place="$place ${word}" ;;`,
    '    esac',
    '  done',
  ];
}

const posixQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Completion for bash: one function over tables of words. */
function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => posixQuoted(`${path} ${name}`)).join('|');
      return [
        `    (${places}) COMPREPLY=($(compgen -W ${posixQuoted(known.join(' '))} -- "$cur")); return ;;`,
      ];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const all = [...below.map(({ name }) => name), ...known, ...options.flatMap(({ names }) => names)];
    return `    (${posixQuoted(path)}) words=${posixQuoted(all.join(' '))} ;;`;
  });
  return [
    '# bash completion of airank. Made by: airank completion bash',
    '_airank() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place=airank words= i`,
    '  COMPREPLY=()',
    ...placeLoop(commands, { words: 'COMP_WORDS', first: 1, typed: 'COMP_CWORD' }),
    '  case "$place $prev" in',
    ...values,
    '  esac',
    '  case "$place" in',
    ...words,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _airank airank airank-warehouse',
    '',
  ].join('\n');
}

/** Completion for zsh, with what each word does. */
function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => posixQuoted(`${path} ${name}`)).join('|');
      return [`    (${places}) ${zshTake(known)}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const found = [...below.map(({ name, description }) => told(name, description)), ...known.map(quoted)];
    const flags = options.flatMap(({ names, description }) => names.map((name) => told(name, description)));
    return `    (${posixQuoted(path)}) found=(${found.join(' ')}); flags=(${flags.join(' ')}) ;;`;
  });
  return [
    '#compdef airank airank-warehouse',
    '# zsh completion of airank. Made by: airank completion zsh',
    '_airank() {',
    `  local place=airank prev="\${words[CURRENT-1]}" i`,
    '  local -a found flags',
    ...placeLoop(commands, { words: 'words', first: 2, typed: 'CURRENT' }),
    '  case "$place $prev" in',
    ...values,
    '  esac',
    '  case "$place" in',
    ...words,
    '  esac',
    `  (( \${#found} )) && _describe command found`,
    '  _describe -o option flags',
    '}',
    `if [[ "\${funcstack[1]}" == _airank ]]; then _airank "$@"; else compdef _airank airank airank-warehouse; fi`,
    '',
  ].join('\n');
}

function zshTake(values: readonly string[]): string {
  if (values.length === 0) return '_files';
  return `found=(${values.map(quoted).join(' ')}); _describe value found`;
}

/** A word and what it does, as _describe takes them: a colon stands between. */
const told = (word: string, description: string) =>
  posixQuoted(`${word.replaceAll(':', '\\:')}:${description}`);

/** Completion for fish, with what each word does. */
function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands: below, options, values }) => {
    const at = `complete -c airank -n ${quoted(`__airank_at "${path}"`)}`;
    return [
      ...below.map(({ name, description }) => `${at} -f -a ${quoted(name)} -d ${quoted(description)}`),
      ...(values.length === 0 ? [] : [`${at} -f -a ${offered(values)}`]),
      ...options.map(({ names, description, values: known }) => {
        const flags = names.map((name) =>
          name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        );
        const takes = known === undefined ? '' : known.length === 0 ? ' -r -F' : ` -x -a ${offered(known)}`;
        return `${at} ${flags.join(' ')}${takes} -d ${quoted(description)}`;
      }),
    ];
  });
  return [
    '# fish completion of airank. Made by: airank completion fish',
    'function __airank_at',
    '  set -l tokens (commandline -opc)',
    '  set -l place airank',
    '  for token in $tokens[2..-1]',
    '    switch "$place $token"',
    `      case ${pathsBelow(commands).map(quoted).join(' ')}`,
    '        set place "$place $token"',
    '    end',
    '  end',
    '  test "$place" = $argv[1]',
    'end',
    ...lines,
    'complete -c airank-warehouse -w airank',
    '',
  ].join('\n');
}

const offered = (values: readonly string[]) => quoted(values.join(' '));

/** Between single quotes fish reads a backslash too. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const shellNames = ['bash', 'zsh', 'fish'] as const;

export const command = defineCommand({
  about: 'print a script that completes what airank takes in bash, zsh or fish',
  args: [['<shell>', 'which shell', shellNames]],
  help: `
Examples:
  $ airank completion bash > ~/.local/share/bash-completion/completions/airank
  $ airank completion zsh > ~/.zfunc/_airank   # in a folder of fpath
  $ airank completion fish > ~/.config/fish/completions/airank.fish
  $ source <(airank completion bash)           # for this terminal alone`,
  async run({ terminal, program }, shell) {
    const values = { 'airank export': await viewNames() };
    terminal.stdout.write(shells[shell](completionWords(program, values)));
  },
});

async function viewNames(): Promise<string[]> {
  const { views } = await readCodeFiles();
  return views.flatMap(({ name }) => /^bi\/([a-z]\w*)\.sql$/.exec(name)?.[1] ?? []);
}
