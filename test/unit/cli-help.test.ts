// The help of every command, as a terminal of 80 columns shows it.
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

describe('the help of every command', () => {
  it('fits 80 columns', async () => {
    const all = await everyHelp();
    expect(all.length).toBeGreaterThan(30);
    const wide = all.flatMap(([name, text]) =>
      text.split('\n').flatMap((line) => ([...line].length > 80 ? [`${name}: ${line}`] : [])),
    );
    expect(wide).toEqual([]);
  });

  it('has examples that can be pasted, comments included', async () => {
    const examples = (await everyHelp()).flatMap(([, text]) =>
      text.split('\n').filter((line) => /^ {2}\$ /.test(line)),
    );
    expect(examples.length).toBeGreaterThan(30);
    expect(examples.filter((line) => /[^ ] {2,}[^ #]/.test(line.trim()))).toEqual([]);
  });
});
