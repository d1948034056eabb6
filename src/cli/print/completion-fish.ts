// Completion for fish, with what each word does.
import { type CompletedCommand, pathsBelow, type Values } from './completion-words.ts';

export function fishCompletion(commands: readonly CompletedCommand[]): string {
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
