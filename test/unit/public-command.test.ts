import { afterEach, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';

let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const bodies: Readonly<Record<string, string>> = {
  'p-1': '{"id":"p-1","score":61.5,"serial":12345678901234567891,"parts":{"cited":[1,2]}}',
  'a/b': '{"id":"a/b"}',
};

async function publicResults(...args: string[]) {
  const seen: { path: string; headers: string[] }[] = [];
  server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: Object.keys(request.headers) });
    if (path.endsWith('/busy')) {
      sendJson(response, 429, { error: 'rate_limited', retryAfter: 3600 });
      return;
    }
    const body = bodies[decodeURIComponent(path.replace('/api/v1/airank/', ''))];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body ?? '{"error":"no_encontrado"}');
  });
  const env = { AIRANK_BASE_URL: server.url };
  return { seen, ...(await airank(['public', ...args], { cwd: '/nowhere', env })) };
}

describe('airank ask public', () => {
  it('reads each result once, without a key set', async () => {
    const { seen, stdout, ...said } = await publicResults('p-1', 'a/b', 'p-1');
    expect(said).toEqual({ exitCode: 0, stderr: '' });
    expect(seen.map(({ path }) => path)).toEqual(['/api/v1/airank/p-1', '/api/v1/airank/a%2Fb']);
    expect(stdout).toBe(
      [
        'Public result p-1',
        '  id           p-1',
        '  score        61.5',
        '  serial       12345678901234567891',
        '  parts.cited  1, 2',
        '',
        'Public result a/b',
        '  id  a/b',
        '',
      ].join('\n'),
    );
  });

  it('sends no key, also where one is set', async () => {
    for (const header of ['bearer', 'x-api-key']) {
      server = await startLoopbackServer((request, response) => sendJson(response, 200, request.headers));
      const env = {
        AIRANK_BASE_URL: server.url,
        AIRANK_API_KEY: 'test-key-123456',
        AIRANK_AUTH_HEADER: header,
      };
      const { stdout } = await airank(['public', 'p-1', '--json'], { cwd: '/nowhere', env });
      const [{ result }] = JSON.parse(stdout).results;
      expect(result).toMatchObject({ 'user-agent': 'airank-warehouse' });
      expect(Object.keys(result)).not.toContain('authorization');
      expect(Object.keys(result)).not.toContain('x-api-key');
      expect(stdout).not.toContain('test-key');
      await server.close();
    }
  });

  it('names an id that is not there, and prints the others', async () => {
    const { exitCode, stdout, stderr } = await publicResults('none', 'p-1');
    expect(exitCode).toBe(1);
    expect(stderr).toBe('There is no public result with the id "none".\n');
    expect(stdout).toContain('61.5');
  });

  it('prints JSON with every digit of what the service sent', async () => {
    const { stdout } = await publicResults('none', 'p-1', '--json');
    expect(stdout).toContain('"serial":12345678901234567891');
    expect(JSON.parse(stdout).results).toMatchObject([
      { id: 'none', result: null, problem: expect.stringContaining('no public result') },
      { id: 'p-1', problem: null },
    ]);
  });

  it('does not wait for an hour where the service refuses', async () => {
    const { exitCode, stderr, seen } = await publicResults('busy');
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'busy: answered 429: too many requests without a key from here. Try again in 3600 s.\n',
    );
    expect(seen).toHaveLength(1);
  });

  it('refuses ids that would be another path, and a missing address', async () => {
    expect(await publicResults('..')).toMatchObject({
      exitCode: 2,
      stderr: 'Expected ids that can be a part of a path, got ".."\n',
    });
    const said = await airank(['public', 'p-1'], { cwd: '/nowhere' });
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toContain('AIRANK_BASE_URL');
  });
});
