import { describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';

const folder = oneFolder();

const installed = (args: readonly string[], keys?: string) =>
  airank(args, { cwd: folder, ...(keys === undefined ? {} : { keys }) });
const inClone = (args: readonly string[], script = 'airank') =>
  airank(args, { cwd: folder, env: { npm_lifecycle_event: script } });

it('where airank is installed hints name airank', async () => {
  expect((await installed(['views'])).stderr).toContain('Run: airank init; to see it work: airank demo\n');
  expect((await installed(['views', '--help'])).stdout).toContain('  $ airank views --json | jq');
});

describe('in a clone', () => {
  it.each(['airank', 'demo'])('hints call it by npm, run as %s', async (script) => {
    expect((await inClone(['views'], script)).stderr).toContain(
      'Run: npm run -s airank -- init; to see it work: npm run -s airank -- demo\n',
    );
  });

  it('help, wrong usage and first steps do so too', async () => {
    const help = await inClone(['views', '--help']);
    expect(help.stdout).toContain('  $ npm run -s airank -- views --json | jq');
    expect(help.stdout).not.toMatch(/\$ airank/);
    const wrong = await inClone(['nonsense']);
    expect(wrong.stderr).toContain('(npm run -s airank -- --help lists the commands;');
    const steps = /^ {4}npm run -s airank -- init {5}asks .*^ {4}npm run -s airank -- doctor {3}checks /ms;
    expect((await inClone(['status'])).stdout).toMatch(steps);
  });

  it('what is no command of its own stays: names of streams, files, other words', async () => {
    const got = 'airank syncs, bin/airank sync, airank  sync';
    expect((await inClone(['push', 'writes', 'skip', got])).stderr).toBe(
      `Expected the number of a write, as npm run -s airank -- push writes lists it, got "${got}"\n`,
    );
  });

  it('at 80 columns a line that grew by the name is folded between words, and no command is taken apart', async () => {
    const options = { cwd: folder, env: { npm_lifecycle_event: 'airank' }, keys: '' };
    const { stdout } = await airank(['status'], options);
    expect(stdout).toContain('npm run -s airank -- status --demo');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('what is data says airank', async () => {
    const args = ['status', '--json'];
    const said = await inClone(args);
    expect(said.stdout).toContain('airank ');
    expect(said).toEqual(await installed(args));
  });
});
