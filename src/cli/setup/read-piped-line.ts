// The first line of a pipe, for what must not stand in a command line.
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../core/errors.ts';
import type { Terminal } from './context.ts';

/** @throws ConfigError where there is no pipe, or nothing in it */
export async function readPipedLine(terminal: Terminal): Promise<string> {
  const { stdin } = terminal;
  const line = stdin === undefined || stdin.isTTY ? '' : ((await text(stdin)).split(/\r?\n/)[0] ?? '');
  if (line === '') throw new ConfigError(['Expected the API key on the first line of a pipe, got nothing']);
  return line;
}
