// What the scripts for bash and zsh share.
import { type CompletedCommand, pathsBelow } from './completion-words.ts';

/** Lines that set `place` to the command that is being typed, of the array of words up to the one that is typed. */
export function placeLoop(
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

export const posixQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
