import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../src/config/config.ts';
import { createMetabaseHttp } from '../../src/reporting/metabase/metabase-http.ts';
import { closing } from '../support/closing.ts';
import { metabaseKey, startFakeMetabase } from '../support/fake-metabase.ts';
import { airank } from '../support/fake-terminal.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { oneFolder } from '../support/temp-folder.ts';

const cwd = oneFolder();
const databaseUrl = 'postgres://bi:sesame-123@db.example.com/airank';
const kept = closing();
const metabase = async (...options: Parameters<typeof startFakeMetabase>) =>
  kept(await startFakeMetabase(...options));
const answering = async (...respond: Parameters<typeof startLoopbackServer>) =>
  kept(await startLoopbackServer(...respond));

const runWithout = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  airank(['metabase', ...args], { cwd, env: { AIRANK_METABASE_KEY: metabaseKey, ...env } });
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runWithout([...args, '--warehouse-url', databaseUrl], env);

describe('airank metabase', () => {
  it('says what was done, then that everything is there', async () => {
    const { url } = await metabase({ looks: 1 });
    const applied = await run(['apply', '--url', `${url}/`]);
    expect(applied).toMatchObject({ exitCode: 0, stderr: '' });
    expect(applied.stdout).toContain('+ question   AI Rank over time');
    expect(applied.stdout).toMatch(/\d+ created, 2 changed, 0 left as people changed them; 0 others/);
    expect(applied.stdout).toMatch(/AI Rank: client: http:\/\/127\.0\.0\.1:\d+\/dashboard\/\d+\n$/);
    const again = await run(['apply'], { AIRANK_METABASE_URL: url });
    expect(again.stdout).toMatch(/^Everything is in place\.\n/);
    const json: unknown = JSON.parse((await run(['apply', '--url', url, '--json'])).stdout);
    expect(json).toMatchObject({ links: [{ name: 'AI Rank: portfolio' }, { name: 'AI Rank: client' }] });
  });

  it('names every missing setting at once, as wrong usage', async () => {
    const { exitCode, stderr } = await run(['apply', '--wait-seconds', '0'], { AIRANK_METABASE_KEY: '' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Expected --url or AIRANK_METABASE_URL to be the address of a Metabase');
    expect(stderr).toContain('Expected AIRANK_METABASE_KEY to be set');
    expect(stderr).toContain('Expected --wait-seconds');
  });

  it('asks for the address of the warehouse only where there is none yet', async () => {
    const { url } = await metabase({ looks: 1 });
    const asked = await runWithout(['apply', '--url', url]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain('Expected --warehouse-url to be the address of the warehouse');
    await run(['apply', '--url', url]);
    expect(await runWithout(['apply', '--url', url])).toMatchObject({ exitCode: 0 });
  });

  it('refuses http beyond this machine, and a user in the address, without repeating it', async () => {
    for (const url of ['http://metabase.example.com', 'https://me:sesame-123@metabase.example.com']) {
      const { exitCode, stderr } = await run(['apply', '--url', url]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Expected --url to be an https address');
      expect(stderr).not.toContain('sesame-123');
    }
  });

  it('says that the key is not taken', async () => {
    const { url } = await metabase();
    const { exitCode, stderr } = await run(['apply', '--url', url], { AIRANK_METABASE_KEY: 'mb_other' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('got 401: the key is not accepted. Make one under Admin settings');
    expect(stderr).not.toContain('mb_other');
  });

  it('says that the key is of too few rights, and that Metabase is too old', async () => {
    const { url } = await metabase({ isAdmin: false });
    expect((await run(['apply', '--url', url])).stderr).toContain('to belong to the group Administrators');
    const old = await metabase({ version: 'v0.49.12' });
    const { stderr } = await run(['apply', '--url', old.url]);
    expect(stderr).toContain('Expected Metabase 0.50 or newer, got v0.49.12. Upgrade it');
    expect([...old.keys]).toEqual([['session/properties', undefined]]);
  });

  it('sends no key to what is no Metabase', async () => {
    const page = await answering((_, response) => response.end('<html>Hello</html>'));
    expect((await run(['apply', '--url', page.url])).stderr).toContain('Is that a Metabase?');
    const none = await answering((_, response) => response.writeHead(404).end());
    expect((await run(['apply', '--url', none.url])).stderr).toContain(
      'got 404: there is no Metabase at this address. Check --url',
    );
    for (const { requests } of [page, none]) {
      expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
    }
  });

  it('follows no redirect, so that the key stays at its address', async () => {
    const other = await answering((_, response) => response.end('{}'));
    const { url } = await answering((request, response) => {
      if (request.url?.endsWith('properties') === true) response.end('{"version":{"tag":"v0.57.0"}}');
      else response.writeHead(302, { location: `${other.url}/login?token=sesame-123` }).end();
    });
    const { exitCode, stderr } = await run(['apply', '--url', url]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`got a redirect to ${other.url}. Use an address that does not redirect`);
    expect(stderr).not.toContain('sesame-123');
    expect(other.requests).toEqual([]);
  });

  it('repeats what Metabase complains of, without key and password', async () => {
    const { url } = await answering((request, response) => {
      const path = request.url ?? '';
      if (path.endsWith('properties')) response.end('{"version":{"tag":"v0.57.0"}}');
      else if (path.endsWith('current')) response.end('{"is_superuser":true}');
      else if (request.method === 'GET') response.end('{"data":[]}');
      else
        response
          .writeHead(400)
          .end(`{"message":"no sesame-123, ${metabaseKey}","errors":{"host":"unknown"}}`);
    });
    const { exitCode, stderr } = await run(['apply', '--url', url]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/POST \/api\/database, got 400: no .*; unknown/);
    expect(stderr).not.toContain('sesame-123');
    expect(stderr).not.toContain(metabaseKey);
  });

  it('says so when Metabase does not read the views in time', async () => {
    const { url } = await metabase({ looks: 1_000 });
    const { exitCode, stderr } = await run(['apply', '--url', url, '--wait-seconds', '1']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Metabase did not read bi.account_rank,');
  });
});

it('an exchange with Metabase ends in time, also where the answer stops in the middle', async () => {
  const { url } = await answering((_, response) => response.write('{'));
  const { signal } = new AbortController();
  const address = { url: new URL(url), key: new Secret(metabaseKey), signal, timeoutMs: 100 };
  await expect(createMetabaseHttp(address).get('user/current', z.unknown())).rejects.toThrow(
    'to answer GET /api/user/current, got not done after 100 ms',
  );
});
