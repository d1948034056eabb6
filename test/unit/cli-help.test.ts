// The help of every command, as a terminal of 80 columns shows it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';

const help = async (...command: string[]) => (await airank([...command, '--help'], { cwd: '/' })).stdout;

/** Names below `Commands:`. */
function subcommandsOf(text: string): string[] {
  const lines = (text.split('\nCommands:\n')[1] ?? '').split('\n\n')[0]?.split('\n') ?? [];
  return lines
    .flatMap((line) => /^ {2}([a-z][a-z-]*)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'help');
}

async function everyHelp(...command: string[]): Promise<[string, string][]> {
  const text = await help(...command);
  const below = await Promise.all(subcommandsOf(text).map((name) => everyHelp(...command, name)));
  return [[['airank', ...command].join(' '), text], ...below.flat()];
}

const folder = join(import.meta.dirname, '../../src/cli/commands');
const commands = readdirSync(folder)
  .filter((file) => /^export const command = /m.test(readFileSync(join(folder, file), 'utf8')))
  .map((file) => file.replace('-command.ts', ''));

describe('the help of every command', async () => {
  const all = [
    ['airank', await help()] as const,
    ...(await Promise.all(commands.map((name) => everyHelp(name)))).flat(),
  ];

  it('leaves out of the first page what is rarely needed', () => {
    const isShown = (name: string) => new RegExp(`^ {2}${name} `, 'm').test(all[0]?.[1] ?? '');
    const left = ['migrate'];
    expect(commands.filter((name) => !isShown(name))).toEqual(left);
  });

  it('fits 80 columns', () => {
    expect(all.length).toBeGreaterThan(40);
    const wide = all.flatMap(([name, text]) =>
      text.split('\n').flatMap((line) => ([...line].length > 80 ? [`${name}: ${line}`] : [])),
    );
    expect(wide).toEqual([]);
  });

  it('has examples that can be pasted, comments included', () => {
    const examples = all.flatMap(([, text]) => text.split('\n').filter((line) => /^ {2}\$ /.test(line)));
    expect(examples.length).toBeGreaterThan(30);
    expect(examples.filter((line) => /[^ ] {2,}[^ #]/.test(line.trim()))).toEqual([]);
  });
});
