// Completion for bash: one function over tables of words.
import { placeLoop, posixQuoted as quoted } from './completion-posix.ts';
import type { CompletedCommand, Values } from './completion-words.ts';

export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => quoted(`${path} ${name}`)).join('|');
      return [`    (${places}) ${take(known)}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const plain = typeof known === 'string' ? [] : known;
    const all = [...below.map(({ name }) => name), ...plain, ...options.flatMap(({ names }) => names)];
    const asked = typeof known === 'string' ? ` [[ $cur == -* ]] || { ${take(known)}; return; }` : '';
    return `    (${quoted(path)}) words=${quoted(all.join(' '))};${asked} ;;`;
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
function take(values: Values): string {
  if (typeof values === 'string') return `_airank_known ${values}`;
  return `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur"))`;
}
