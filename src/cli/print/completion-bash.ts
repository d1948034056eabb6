// Completion for bash: one function over tables of words.
import { type CompletedCommand, pathsBelow } from './completion-words.ts';

export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => quoted(`${path} ${name}`)).join('|');
      // Nothing of ours: -o default completes files.
      return [`    ${places}) COMPREPLY=($(compgen -W ${quoted(known.join(' '))} -- "$cur")); return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const all = [...below.map(({ name }) => name), ...known, ...options.flatMap(({ names }) => names)];
    return `    ${quoted(path)}) words=${quoted(all.join(' '))} ;;`;
  });
  return [
    '# bash completion of airank. Made by: airank completion bash',
    '_airank() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place=airank words= i`,
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    case "$place \${COMP_WORDS[i]}" in`,
    `      ${pathsBelow(commands).map(quoted).join('|')}) place="$place \${COMP_WORDS[i]}" ;;`,
    '    esac',
    '  done',
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

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
