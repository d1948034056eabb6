// airank mcp as assistants start it: a process on pipes, in each revision of the protocol, and over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { builtProgram } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 1 }));
const folder = oneFolder();
const tokens = { all: 'a'.repeat(32), one: `b${'1'.repeat(40)}` } as const;
let clients: readonly { id: string; name: string }[];

beforeAll(async () => {
  const { rows } = await database.pool.query<{ id: string; name: string }>(
    'select client_id as id, client_name as name from bi.clients where not is_account order by 1',
  );
  clients = rows;
  const lines = ['# of the team', `${tokens.all} *`, `${tokens.one} ${clients[0]?.id}`];
  await writeFile(join(folder, 'tokens'), lines.join('\n'), { mode: 0o600 });
});

interface Running {
  readonly child: ChildProcess;
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
  readonly lines: string[];
  readonly ended: Promise<number | null>;
}

const env = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  DATABASE_URL: database.url,
  AIRANK_DATA_DIR: folder,
  AIRANK_MCP_TOKENS_FILE: join(folder, 'tokens'),
  ...more,
});

function start(args: readonly string[] = [], more: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [builtProgram, 'mcp', ...args], { env: env(more), cwd: folder });
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  const lines: string[] = [];
  let text = '';
  child.stdout.on('data', (part: Buffer) => {
    text += String(part);
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    lines.push(...whole);
    for (const line of whole) {
      const message = JSON.parse(line) as Record<string, unknown>;
      waiting.get(message['id'])?.(message);
    }
  });
  let id = 0;
  return {
    child,
    lines,
    ended: new Promise((resolve) => child.once('exit', resolve)),
    ask: async (method, params = {}) => {
      id += 1;
      const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return await answered;
    },
  };
}

const clientInfo = { name: 'test', version: '1' };
const first = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const nobody = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };

describe('on pipes', () => {
  it('says hello and lists its tools without a database, and outlives a call', async () => {
    const protocolVersion = '2024-11-05';
    const server = start([], nobody);
    // As some shells write it.
    server.child.stdin?.write('\ufeff');
    expect(await server.ask('initialize', { ...first, protocolVersion })).toMatchObject({
      result: { protocolVersion, serverInfo: { name: 'airank' } },
    });
    const listed = await server.ask('tools/list');
    expect((listed['result'] as { tools: unknown[] }).tools).toHaveLength(11);
    for (let times = 0; times < 2; times += 1) {
      expect(await server.ask('tools/call', { name: 'who_needs_me' })).toMatchObject({
        result: { isError: true, structuredContent: { error: { code: 'unreachable' } } },
      });
    }
    server.child.stdin?.end();
    expect(await server.ended).toBe(0);
  });

  it('serves revision 2026-07-28 from the same factory', async () => {
    const server = start();
    expect(await server.ask('server/discover', envelope)).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    });
    const { result } = await server.ask('tools/call', { name: 'list_clients', arguments: {}, ...envelope });
    expect((result as { structuredContent: { rows: unknown[] } }).structuredContent.rows).toHaveLength(2);
    server.child.stdin?.end();
    expect(await server.ended).toBe(0);
    expect(server.lines).toHaveLength(2);
  });

  it('says nothing but the protocol, whatever it is sent, and ends by a signal', async () => {
    const server = start(['--client', clients[0]?.id ?? ''], { AIRANK_LOG_LEVEL: 'trace' });
    await server.ask('initialize', first);
    server.child.stdin?.write('nonsense\n{"jsonrpc":"2.0"}\n[]\n');
    const { result } = await server.ask('tools/call', { name: 'list_clients' });
    expect(JSON.stringify(result)).not.toContain(clients[1]?.name);
    server.child.kill('SIGTERM');
    await server.ended;
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

it('asks the API nothing, whatever it is asked', async () => {
  const sandbox = await startSandbox({ clients: 2 });
  const server = start(['--service-tools', 'svc'], {
    AIRANK_BASE_URL: sandbox.url,
    AIRANK_API_KEY: sandbox.keys[0] ?? '',
  });
  try {
    await server.ask('initialize', first);
    const { result } = await server.ask('tools/list');
    const { tools } = result as { tools: { name: string }[] };
    expect(tools.length).toBeGreaterThan(30);
    const day = { from: '2026-03-01', to: '2026-03-01' };
    const client = clients[0]?.id;
    for (const { name } of tools) {
      for (const args of [{ client }, { client, view: 'bi.rank_trend', route: 'visibility', ...day }])
        await server.ask('tools/call', { name, arguments: args });
    }
    expect(sandbox.stats().requests).toBe(0);
  } finally {
    server.child.stdin?.end();
    await server.ended;
    await sandbox.close();
  }
});

describe('over HTTP', () => {
  let child: ChildProcess;
  let port: string;
  beforeAll(async () => {
    child = spawn(process.execPath, [builtProgram, 'mcp', '--http', '0'], {
      env: env({ AIRANK_MCP_HOSTS: 'ask.example.com' }),
      cwd: folder,
    });
    port = await new Promise((resolve, reject) => {
      child.once('exit', reject);
      child.stderr?.on('data', (text: Buffer) => {
        const [, found] = /Listening on http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(String(text)) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  });

  interface Asked {
    readonly token?: string;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    readonly method?: string;
    readonly path?: string;
  }

  /** fetch sets Host itself. */
  async function post({ token, headers, body, method = 'POST', path = '/mcp' }: Asked) {
    const sent = {
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    };
    return await new Promise<{ status: number; text: string; cors: unknown }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers: sent }, (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => {
          text += String(part);
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            text,
            cors: answer.headers['access-control-allow-origin'],
          }),
        );
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  const call = (name: string, args: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it('gives each token its clients, in both revisions', async () => {
    const everybody = await post({ token: tokens.all, body: call('list_clients') });
    const one = await post({ token: tokens.one, body: call('list_clients') });
    for (const { name } of clients) expect(everybody.text).toContain(name);
    expect(one.text).toContain(clients[0]?.name);
    expect(one.text).not.toContain(clients[1]?.name);
    const other = await post({ token: tokens.one, body: call('rank_trend', { client: clients[1]?.id }) });
    expect(other.text).toContain('unknown_client');
    const modern = { ...call('list_clients'), params: { ...call('list_clients').params, ...envelope } };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_clients',
    };
    const said = await post({ token: tokens.one, body: modern, headers });
    expect(said).toMatchObject({ status: 200, cors: undefined });
    expect(said.text).toContain(clients[0]?.name);
    expect(said.text).not.toContain(clients[1]?.name);
  });

  it('answers for the name of a proxy that AIRANK_MCP_HOSTS has', async () => {
    const asked = { token: tokens.all, body: call('list_clients'), headers: { host: 'Ask.example.com' } };
    expect(await post(asked)).toMatchObject({ status: 200 });
  });

  it.each([
    ['no token', {}, 401],
    ['a wrong token', { token: 'c'.repeat(32) }, 401],
    ['a token with more', { token: `${tokens.all}a` }, 401],
    ['a token in the address', { path: `/mcp?token=${tokens.all}` }, 401],
    ['another Host', { token: tokens.all, headers: { host: 'other.ask.example.com' } }, 403],
    ['a Host of elsewhere', { token: tokens.all, headers: { host: 'evil.example' } }, 403],
    ['another Origin', { token: tokens.all, headers: { origin: 'https://evil.example' } }, 403],
    ['an Origin that is none', { token: tokens.all, headers: { origin: 'null' } }, 403],
    ['a page of elsewhere', { token: tokens.all, headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['another path', { token: tokens.all, path: '/' }, 404],
    ['a body of more than a megabyte', { token: tokens.all, body: `"${'x'.repeat(1_000_001)}"` }, 413],
    ['a session to listen to', { token: tokens.all, method: 'GET', body: undefined }, 405],
    ['no JSON', { token: tokens.all, body: 'nonsense' }, 400],
  ] as const)('refuses %s', async (_, asked, status) => {
    const said = await post({ body: call('list_clients'), ...asked });
    expect(said).toMatchObject({ status, cors: undefined });
    for (const { name } of clients) expect(said.text).not.toContain(name);
  });
});

describe('what it is started with', () => {
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    airank(['mcp', ...args], { cwd: folder, env: env(more) });

  it('is refused where it makes no sense', async () => {
    expect(await run(['--http', '1', '--client', '7'])).toMatchObject({ exitCode: 2 });
    expect(await run(['--http', 'x'])).toMatchObject({ exitCode: 2 });
    const tokensIn = async (name: string, text: string, mode: number) => {
      await writeFile(join(folder, name), text, { mode });
      return (await run(['--http', '0'], { AIRANK_MCP_TOKENS_FILE: join(folder, name) })).stderr;
    };
    expect(await tokensIn('short', 'short *', 0o600)).toContain(
      'Expected a token of at least 32 characters in line 1',
    );
    const open = await tokensIn('open', `${tokens.all} *`, 0o644);
    expect(open).toContain('Others on this machine can read');
    expect(open).not.toContain(tokens.all);
    const hosts = await run(['--http', '0'], { AIRANK_MCP_HOSTS: 'a.example.com,https://x' });
    expect(hosts.stderr).toMatch(
      /^Expected AIRANK_MCP_HOSTS to be host names separated by commas, .*, got "https:\/\/x"/,
    );
  });

  it.each(['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'gemini'])(
    'is printed for %s, with absolute paths and no secret',
    async (assistant) => {
      const said = await run(['config', '--for', assistant, '--client', 'Bodega "Luna"']);
      expect(said.exitCode).toBe(0);
      expect(said.stdout).toContain(JSON.stringify(process.execPath));
      expect(said.stdout).toMatch(/"\/[^"]+\/dist\/src\/start\.js"/);
      expect(said.stdout).toContain('"Bodega \\"Luna\\""');
      expect(said.stdout).not.toMatch(/npx|npm|postgres:/);
      if (assistant !== 'codex') expect(() => JSON.parse(said.stdout)).not.toThrow();
      else expect(said.stdout).toMatch(/^\[mcp_servers\.airank\]\ncommand = "/);
    },
  );
});
