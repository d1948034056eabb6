// airank completion: a script that makes a shell complete commands, options and known values.

import { readCodeFiles } from '../../db/code/code-files.ts';
import {
  type CompletedCommand,
  completionWords,
  pathsBelow,
  type Values,
} from '../print/completion-words.ts';
import { defineCommand } from '../setup/define-command.ts';

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

// Completion for bash: one function over tables of words.
function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => posixQuoted(`${path} ${name}`)).join('|');
      return [`    (${places}) ${bashTake(known)}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const plain = typeof known === 'string' ? [] : known;
    const all = [...below.map(({ name }) => name), ...plain, ...options.flatMap(({ names }) => names)];
    const asked = typeof known === 'string' ? ` [[ $cur == -* ]] || { ${bashTake(known)}; return; }` : '';
    return `    (${posixQuoted(path)}) words=${posixQuoted(all.join(' '))};${asked} ;;`;
  });
  return [
    '# bash completion of airank. Made by: airank completion bash',
    // A word that begins with a quote is closed by bash itself.
    '_airank_known() {',
    '  local word about typed',
    `  if [[ $cur == [\\"\\']* ]]; then typed="\${cur:1}"; else IFS= read typed <<<"$cur"; fi`,
    '  compopt +o default 2>/dev/null',
    `  while IFS=$'\\t' read -r word about; do`,
    // A comma that is escaped would be another word to airank once it is typed.
    `    [[ $cur == [\\"\\']* ]] || { printf -v word %q "$word"; word="\${word//\\\\,/,}"; }`,
    '    COMPREPLY+=("$word")',
    `  done < <("\${COMP_WORDS[0]}" completion --known "$1" "$typed" 2>/dev/null)`,
    '}',
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

/** Nothing of ours: -o default completes files. */
function bashTake(values: Values): string {
  if (typeof values === 'string') return `_airank_known ${values}`;
  return `COMPREPLY=($(compgen -W ${posixQuoted(values.join(' '))} -- "$cur"))`;
}

// Completion for zsh, with what each word does.
function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => posixQuoted(`${path} ${name}`)).join('|');
      return [`    (${places}) ${zshTake(known)}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const plain = typeof known === 'string' ? [] : known;
    const asked = typeof known === 'string' ? ` _airank_known ${known};` : '';
    const found = [...below.map(({ name, description }) => told(name, description)), ...plain.map(quoted)];
    const flags = options.flatMap(({ names, description }) => names.map((name) => told(name, description)));
    return `    (${posixQuoted(path)}) found=(${found.join(' ')}); flags=(${flags.join(' ')});${asked} ;;`;
  });
  return [
    '#compdef airank airank-warehouse',
    '# zsh completion of airank. Made by: airank completion zsh',
    '_airank_known() {',
    '  local -a known',
    '  local line word',
    `  for line in "\${(@f)$("\${(Q)words[1]}" completion --known "$1" "\${(Q)PREFIX}" 2>/dev/null)}"; do`,
    `    word="\${line%%$'\\t'*}"`,
    // A colon stands between a word and what is told of it.
    `    [[ -n $word ]] && known+=("\${word//:/\\\\:}:\${line#*$'\\t'}")`,
    '  done',
    `  (( \${#known} )) && _describe value known`,
    '}',
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

function zshTake(values: Values): string {
  if (typeof values === 'string') return `_airank_known ${values}`;
  if (values.length === 0) return '_files';
  return `found=(${values.map(quoted).join(' ')}); _describe value found`;
}

/** A word and what it does, as _describe takes them: a colon stands between. */
const told = (word: string, description: string) =>
  posixQuoted(`${word.replaceAll(':', '\\:')}:${description}`);

// Completion for fish, with what each word does.
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
    'function __airank_known',
    '  set -l tokens (commandline -opc)',
    '  set -l typed (commandline -ct | string unescape)',
    // A quote that is not closed yet.
    '  set -q typed[1]; or set typed (commandline -ct | string sub -s 2)',
    '  command $tokens[1] completion --known $argv[1] "$typed" 2>/dev/null',
    'end',
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

const offered = (values: Values) =>
  quoted(typeof values === 'string' ? `(__airank_known ${values})` : values.join(' '));

/** Between single quotes fish reads a backslash too. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const shellNames = ['bash', 'zsh', 'fish'] as const;

export const command = defineCommand({
  about: 'print a script that completes what airank takes in bash, zsh or fish',
  args: [['<shell>', 'which shell', shellNames]],
  help: `
Jobs, accounts and clients are completed too, by settings, job files and
warehouse as they are: that makes no request, and starts no database.

Examples:
  $ airank completion bash > ~/.local/share/bash-completion/completions/airank
  $ airank completion zsh > ~/.zfunc/_airank   # in a folder of fpath
  $ airank completion fish > ~/.config/fish/completions/airank.fish
  $ source <(airank completion bash)           # for this terminal alone`,
  async run({ terminal, program }, shell) {
    const values: Readonly<Record<string, Values>> = {
      'airank export': await viewNames(),
      'airank jobs run': 'job',
      'airank report': 'client',
      'airank dashboard link': 'client',
      'airank rename account': 'account',
    };
    terminal.stdout.write(shells[shell](completionWords(program, values)));
  },
});

async function viewNames(): Promise<string[]> {
  const { views } = await readCodeFiles();
  return views.flatMap(({ name }) => /^bi\/([a-z]\w*)\.sql$/.exec(name)?.[1] ?? []);
}
