// airank init against the sandbox: what it asks, tries and writes.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { closing } from '../support/closing.ts';
import { airank } from '../support/fake-terminal.ts';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { eachFolder } from '../support/temp-folder.ts';

const kept = closing();
const key = { AIRANK_API_KEY: 'sandbox-key' };
let sandbox: Sandbox;
const at = eachFolder();

beforeAll(async () => {
  sandbox = await startSandbox({ clients: 1, size: 1 });
});
afterAll(() => sandbox.close());
const type = (keys: string, ...flags: string[]) => airank(['init', ...flags], { cwd: at(), keys });
const run = (...flags: string[]) => airank(['init', ...flags], { cwd: at() });
const written = async (name: string) => await readFile(at(name), 'utf8');

async function withKeyFile(): Promise<string[]> {
  await writeFile(at('key'), 'sandbox-key\n');
  return ['--base-url', sandbox.url, '--key-file', 'key'];
}

describe('asked at a terminal', () => {
  test('it tries address and key, shows the clients that it found, and writes what only its owner can read', async () => {
    const before = sandbox.stats().requests;
    const said = await type(`${sandbox.url}\rsandbox-keyx\u007f\r\r`);
    expect(said).toMatchObject({ exitCode: 0 });
    expect(sandbox.stats().requests - before).toBe(2);
    expect(said.stderr).toMatch(/The account has 1 client:\n {2}\S.*\S {2,}\S+\nAre these your clients\?/);
    expect(parseEnv(await written('.env'))).toEqual({ AIRANK_BASE_URL: sandbox.url, ...key });
    expect((await stat(at('.env'))).mode & 0o777).toBe(0o600);
    expect(said.stdout).toMatch(/Next: airank sync\n$/);
    expect(said.stdout + said.stderr).not.toContain('sandbox-key');
  });

  test('arrow keys edit the address and the key, and bring back no key that was typed before', async () => {
    const [left, up] = ['\u001b[D', '\u001b[A'];
    const wrong = `sandbox-kxey${left.repeat(2)}\u007f-not`;
    const said = await type(
      `x${sandbox.url}${left.repeat(sandbox.url.length)}\u007f\r${wrong}\r\r${up}sandbox-key\r\r`,
    );
    expect(said).toMatchObject({ exitCode: 0 });
    expect(parseEnv(await written('.env'))).toEqual({ AIRANK_BASE_URL: sandbox.url, ...key });
    expect(said.stdout + said.stderr).not.toContain('sandbox-k');
  });

  test('what the server refuses is asked again; Enter takes the address of before', async () => {
    const said = await type(`\r${sandbox.url}\rwrong\rnonsense\r\rsandbox-key\r\r`);
    expect(said.exitCode).toBe(0);
    expect(said.stderr.match(/API key/g)).toHaveLength(2);
    expect(said.stderr).toMatch(
      /Expected the address of the API.*answered 401.*Expected the address of the API.*\(Enter: http.*accepts the key/s,
    );
    expect(parseEnv(await written('.env'))).toMatchObject({ AIRANK_API_KEY: 'sandbox-key' });
  });

  test('it shows the field by which the service knows clients, and says where none is', async () => {
    const clientes = ['a', 'b'].map((id) => ({
      nombre: `Firm ${id}`,
      taxCode: `t-${id}`,
      crmRef: `crm-${id}`,
    }));
    let known = 'crm-';
    const answering = await startLoopbackServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
      const client = searchParams.get('cliente') ?? '';
      const isKnown = client === '' || client.startsWith(known);
      const body = pathname.endsWith('/clientes') ? { clientes } : { rank: client.endsWith('a') ? 40 : 50 };
      sendJson(response, isKnown ? 200 : 404, body);
    });
    const typed = `${kept(answering).url}\rsandbox-key\rn\r`;
    const shown = /The account has 2 clients:\n {2}Firm a +crm-a\n {2}Firm b +crm-b\n/;
    expect((await type(typed)).stderr).toMatch(shown);
    known = 'other-';
    expect((await type(typed)).stderr).toContain('set streams.clientes.keys in airank.config.yaml');
  });

  test.each([
    [
      'where the clients are somebody else’s',
      '-key\rn\r',
      /Nothing was written\. Perhaps another key is the one of/,
    ],
    ['after Ctrl-C', '\u0003', /Stopped\. Nothing was written\.\n$/],
  ])('it writes nothing %s', async (_, keys, told) => {
    const said = await type(`${sandbox.url}\rsandbox${keys}`);
    expect(said).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(told) });
    expect(await readdir(at())).toEqual([]);
  });

  test('what is set already is replaced after a yes only', async () => {
    await writeFile(at('.env'), 'AIRANK_API_KEY=old\nOTHER=1\n');
    const before = sandbox.stats().requests;
    expect((await type(`${sandbox.url}\rsandbox-key\rn\r`)).exitCode).toBe(1);
    expect(sandbox.stats().requests).toBe(before);
    expect(await written('.env')).toBe('AIRANK_API_KEY=old\nOTHER=1\n');
    expect((await type(`${sandbox.url}\rsandbox-key\ry\r\r`)).exitCode).toBe(0);
    expect(parseEnv(await written('.env'))).toMatchObject({ AIRANK_API_KEY: 'sandbox-key', OTHER: '1' });
  });
});

describe('by flags', () => {
  test('it writes job files with --jobs, into the folder that is set, and replaces none without --force', async () => {
    await writeFile(at('.env'), 'AIRANK_JOBS_DIR=ours\n');
    const flags = [...(await withKeyFile()), '--jobs'];
    expect(await run(...flags)).toMatchObject({ exitCode: 0 });
    expect(await readdir(at('ours'))).toContain('rank-watch.mjs');
    expect(parseEnv(await written('.env'))).toMatchObject({ AIRANK_JOBS_DIR: 'ours' });
    await writeFile(at('ours', 'rank-watch.mjs'), 'mine');
    expect(await run(...flags)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/: ours\/rank-watch\.mjs\. Use --force to replace it/),
    });
  });

  test('it overwrites nothing without --force', async () => {
    const flags = await withKeyFile();
    await writeFile(at('.env'), 'AIRANK_API_KEY=old\n');
    const said = await run(...flags);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(/Already set in .*: AIRANK_API_KEY in \.env\. Use --force to replace it/);
    expect(await run(...flags, '--force')).toMatchObject({ exitCode: 0 });
    expect(parseEnv(await written('.env'))).toMatchObject({ AIRANK_API_KEY: '', AIRANK_API_KEY_FILE: 'key' });
  });

  test('a key that is refused is not written, unless nobody is to be asked', async () => {
    await writeFile(at('key'), 'wrong');
    const flags = ['--base-url', sandbox.url, '--key-file', 'key'];
    expect(await run(...flags)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await readdir(at())).toEqual(['key']);
    expect(await run(...flags, '--offline')).toMatchObject({ exitCode: 0 });
    expect(await readdir(at())).toEqual(['.env', 'key']);
  });

  test('what is missing is named where nobody can be asked', async () => {
    expect(await run('--base-url', sandbox.url)).toMatchObject({
      exitCode: 2,
      stderr: 'There is no terminal to ask questions on: give --base-url, and --key-file or --key-stdin\n',
    });
  });

  test('accounts of the configuration are not hidden by another one', async () => {
    const flags = await withKeyFile();
    const accounts = `accounts: [{ name: north, base_url: "${sandbox.url}", api_key_file: key }]`;
    await writeFile(at('airank.config.yaml'), accounts);
    const said = await run(...flags);
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(/^Expected AIRANK_API_KEY_FILE to be unset/);
    expect(await readdir(at())).not.toContain('.env');
  });
});
