import { describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';

const run = (...args: string[]) => airank(['push', 'bots', ...args], { cwd: '/nowhere' });

describe('airank push bots', () => {
  it('lists each bot with its operator', async () => {
    const { exitCode, stdout } = await run();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^GPTBot +OpenAI +training$/m);
    const { bots } = JSON.parse((await run('--json')).stdout);
    expect(bots).toHaveLength(144);
    expect(stdout).toMatch(/\n144 bots\n$/);
  });

  it('says which bot a user agent is of, and ends with 1 where it is of none', async () => {
    const agent = 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)';
    expect(await run(agent)).toMatchObject({ exitCode: 0, stdout: 'ClaudeBot, Anthropic, training\n' });
    expect(await run('Mozilla/5.0 Firefox/140.0')).toMatchObject({ exitCode: 1, stdout: 'No AI bot\n' });
    expect(await run('curl/8', '--json')).toMatchObject({ exitCode: 1, stdout: 'null\n' });
  });
});
