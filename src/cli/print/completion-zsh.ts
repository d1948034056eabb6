// Completion for zsh, with what each word does.
import { placeLoop, posixQuoted as quoted } from './completion-posix.ts';
import type { CompletedCommand, Values } from './completion-words.ts';

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => quoted(`${path} ${name}`)).join('|');
      return [`    (${places}) ${take(known)}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const plain = typeof known === 'string' ? [] : known;
    const asked = typeof known === 'string' ? ` _airank_known ${known};` : '';
    const found = [...below.map(({ name, description }) => told(name, description)), ...plain.map(quoted)];
    const flags = options.flatMap(({ names, description }) => names.map((name) => told(name, description)));
    return `    (${quoted(path)}) found=(${found.join(' ')}); flags=(${flags.join(' ')});${asked} ;;`;
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

function take(values: Values): string {
  if (typeof values === 'string') return `_airank_known ${values}`;
  if (values.length === 0) return '_files';
  return `found=(${values.map(quoted).join(' ')}); _describe value found`;
}

/** A word and what it does, as _describe takes them: a colon stands between. */
const told = (word: string, description: string) => quoted(`${word.replaceAll(':', '\\:')}:${description}`);
