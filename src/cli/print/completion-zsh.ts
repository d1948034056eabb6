// Completion for zsh, with what each word does.
import { type CompletedCommand, pathsBelow } from './completion-words.ts';

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, values: known }) => {
      if (known === undefined) return [];
      const places = names.map((name) => quoted(`${path} ${name}`)).join('|');
      const take =
        known.length === 0 ? '_files' : `found=(${known.map(quoted).join(' ')}); _describe value found`;
      return [`    (${places}) ${take}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, values: known }) => {
    const found = [...below.map(({ name, description }) => told(name, description)), ...known.map(quoted)];
    const flags = options.flatMap(({ names, description }) => names.map((name) => told(name, description)));
    return `    (${quoted(path)}) found=(${found.join(' ')}); flags=(${flags.join(' ')}) ;;`;
  });
  return [
    '#compdef airank airank-warehouse',
    '# zsh completion of airank. Made by: airank completion zsh',
    '_airank() {',
    `  local place=airank prev="\${words[CURRENT-1]}" i`,
    '  local -a found flags',
    '  for ((i = 2; i < CURRENT; i++)); do',
    `    case "$place \${words[i]}" in`,
    `      (${pathsBelow(commands).map(quoted).join('|')}) place="$place \${words[i]}" ;;`,
    '    esac',
    '  done',
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

/** A word and what it does, as _describe takes them: a colon stands between. */
const told = (word: string, description: string) => quoted(`${word.replaceAll(':', '\\:')}:${description}`);

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
