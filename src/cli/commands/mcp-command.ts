// airank mcp: assistants ask the warehouse. The server is loaded when it is called, because nothing else needs the SDK.

import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { packageRoot } from '../../core/files.ts';
import type { Warehouse, WarehouseSource } from '../../mcp/read/source.ts';
import { assistants, clientEntry, placeOf } from '../../mcp/serve/client-entry.ts';
import type { TokenGrant } from '../../mcp/serve/tokens.ts';
import type { Offer } from '../../mcp/tools.ts';
import { openReader, type Reader } from '../../reporting/reader/open-reader.ts';
import { readSettings, type Settings } from '../context.ts';
import { defineCommand, type FlagsOf } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { readLocalSettings } from '../settings.ts';
import { say, type Terminal } from '../terminal.ts';
import { demoFlag, type OpenedReader, withReader } from '../use-warehouse.ts';

const whatIsOffered = {
  '--client <id>': 'show only this client, and nothing of the account',
  '--service-tools <prefix>':
    "also offer tools under the service's own names, such as PREFIX_visibilidad: about 30, which cost a conversation 11,000 tokens",
  '--folder <folder>': 'folder of .env and airank.config.yaml (default: this one)',
  ...demoFlag,
} as const;

type McpFlags = FlagsOf<typeof whatIsOffered>;

const configCommand = defineCommand({
  about: 'print the settings with which an assistant starts it',
  flags: {
    '--for <assistant>': { about: 'which one', choices: assistants, required: true },
    ...whatIsOffered,
  },
  help: `
Flags that say what is shown become part of it:
airank mcp config --for cursor --client 7
Variables of this shell are not: keep addresses and keys in .env of the folder.

Examples:
  $ airank mcp config --for claude-desktop --demo
  $ airank mcp config --for codex >> ~/.codex/config.toml`,
  async run({ terminal, flags }) {
    const { client, serviceTools, demo } = flags;
    const folder = resolve(terminal.cwd, flags.folder ?? '');
    const program = join(packageRoot(), 'dist', 'src', 'start.js');
    const args = [
      existsSync(program) ? program : join(packageRoot(), 'src', 'launch.mjs'),
      ...['mcp', '--folder', folder],
      ...(demo ? ['--demo'] : []),
      ...(client === undefined ? [] : ['--client', client]),
      ...(serviceTools === undefined ? [] : ['--service-tools', serviceTools]),
    ];
    // Paths alone, no secrets: an assistant starts the server in another folder.
    const paths = ['AIRANK_DATA_DIR', 'AIRANK_CONFIG'].flatMap((name): [string, string][] => {
      const value = terminal.env[name];
      return value ? [[name, resolve(terminal.cwd, value)]] : [];
    });
    const entry = { command: process.execPath, args, env: Object.fromEntries(paths) };
    terminal.stdout.write(`${clientEntry(flags.for, entry)}\n`);
    say(terminal, `Add this to ${placeOf[flags.for]}.`);
  },
});

export const command = defineCommand({
  about: 'let assistants ask the warehouse (Model Context Protocol)',
  flags: {
    ...whatIsOffered,
    '--http <port>': 'listen on 127.0.0.1 instead of stdin; 0 picks a free port',
  },
  help: `
Assistants start it; it speaks on stdin and stdout, and ends when stdin ends. It
makes no request to the API and writes nothing. With --http, the token of a
request decides which client is shown: each line of AIRANK_MCP_TOKENS_FILE is a
token, a space and a client, or * for all.

Examples:
  $ airank mcp config --for claude-code --demo
  $ airank mcp --client 7
  $ airank mcp --http 9466`,
  async run({ terminal: outside, flags }) {
    const faults: string[] = [];
    const port = numberFlag('--http', flags.http, { min: 0, max: 65_535 }, faults);
    const { serviceTools: prefix } = flags;
    if (prefix !== undefined && !/^[A-Za-z][\w-]{0,20}$/.test(prefix)) {
      faults.push(`Expected --service-tools to be a prefix such as airank, got "${prefix}"`);
    }
    if (flags.http !== undefined && flags.client !== undefined) {
      faults.push('--client cannot be used with --http, where the token decides which clients are shown');
    }
    if (faults.length > 0) throw new ConfigError(faults);
    // Each assistant keeps a process for hours: do not let V8's nursery grow for a few large answers.
    setFlagsFromString('--semi-space-growth-factor=1');
    const terminal = { ...outside, cwd: resolve(outside.cwd, flags.folder ?? '') };
    const settings = flags.demo
      ? readLocalSettings(terminal)
      : readSettings(terminal, { needAccounts: false });
    const tokens = port === undefined ? [] : await readTokensFile(settings);
    const { warehouseSource } = await import('../../mcp/read/source.ts');
    const source = warehouseSource((work) => openWarehouse(terminal, flags, work), settings.streams);
    try {
      if (port === undefined) await serveStdio(terminal, settings, offerOf(flags, settings, source));
      else await serveHttp(terminal, settings, { port, tokens, source, flags });
    } finally {
      await source.close();
    }
  },
  commands: { config: configCommand },
});

function offerOf({ client, serviceTools }: McpFlags, settings: Settings, source: WarehouseSource): Offer {
  const bound = client === undefined ? undefined : [client];
  return { source, bound, whyNoSql: whyNoSql(settings, bound !== undefined), servicePrefix: serviceTools };
}

function whyNoSql({ config, isDemo }: Settings, isBound: boolean): string | undefined {
  if (isBound) return 'SQL would see all clients, and this server shows only some.';
  if (isDemo || config.readerUrl !== undefined || config.databaseUrl === undefined) return undefined;
  return 'it needs AIRANK_READER_URL, the address of a role made by airank grant-bi.';
}

async function openWarehouse(
  terminal: Terminal,
  flags: McpFlags,
  work: (warehouse: Warehouse) => Promise<void>,
): Promise<void> {
  const which = flags.demo ? { demo: flags.demo } : {};
  await withReader(terminal, which, {}, async (opened) => {
    let api: Promise<Reader> | undefined;
    let queryUrl: Promise<string> | undefined;
    try {
      await work({
        bi: opened.reader.pool,
        api: async () => {
          api ??= openApiReader(opened);
          return (await api).pool;
        },
        db: opened.warehouse?.db,
        queryUrl: async () => {
          queryUrl ??= findQueryUrl(opened);
          queryUrl.catch(() => (queryUrl = undefined));
          return await queryUrl;
        },
      });
    } finally {
      if (api !== undefined && (await api.catch(() => undefined)) !== opened.reader)
        await (await api).close();
    }
  });
}

/** A role set by AIRANK_READER_URL reads what it was granted. */
async function openApiReader({ reader, warehouse, settings }: OpenedReader): Promise<Reader> {
  if (settings.config.readerUrl !== undefined || warehouse === undefined) return reader;
  return await openReader({ readerUrl: undefined, warehouse: warehouse.pool, api: true });
}

async function findQueryUrl({ warehouse, settings }: OpenedReader): Promise<string> {
  const given = settings.config.readerUrl?.reveal();
  if (given !== undefined) return given;
  if (warehouse === undefined || !warehouse.embedded)
    throw new ConfigError(['Expected AIRANK_READER_URL to be set']);
  const { embeddedQueryUrl } = await import('../../mcp/read/query-role.ts');
  return await embeddedQueryUrl(warehouse.db, warehouse.url, settings.config.dataDir);
}

async function serveStdio(terminal: Terminal, { scrub }: Settings, offer: Offer): Promise<void> {
  const [{ createServer }, sdk] = await Promise.all([
    import('../../mcp/server.ts'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const { stdin, stdout, signal } = terminal;
  if (stdin === undefined)
    throw new ConfigError(['airank mcp talks to the assistant on standard input, and there is none']);
  const ended = new Promise<void>((done) => {
    for (const event of ['end', 'close'] as const) stdin.once(event, () => done());
    for (const event of ['close', 'error'] as const) stdout.once(event, () => done());
    signal.addEventListener('abort', () => done());
    if (signal.aborted || stdin.readableEnded) done();
  });
  const handle = sdk.serveStdio(() => createServer(offer, scrub), {
    transport: new sdk.StdioServerTransport(stdin.pipe(withoutMark()), stdout, { maxBufferSize: 1_000_000 }),
  });
  await ended;
  await handle.close();
}

/** Drops the byte order mark that PowerShell writes before the first message: it is not JSON. */
function withoutMark(): Transform {
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const hasMark = isFirst && chunk.subarray(0, 3).equals(Buffer.from('\ufeff'));
      isFirst = false;
      done(null, hasMark ? chunk.subarray(3) : chunk);
    },
  });
}

interface WantedHttp {
  readonly port: number;
  readonly tokens: readonly TokenGrant[];
  readonly source: WarehouseSource;
  readonly flags: McpFlags;
}

async function serveHttp(
  { stderr, signal }: Terminal,
  settings: Settings,
  { port, tokens, source, flags }: WantedHttp,
): Promise<void> {
  const [{ createServer }, { startHttpServer }] = await Promise.all([
    import('../../mcp/server.ts'),
    import('../../mcp/serve/http-server.ts'),
  ]);
  const { config, scrub, logger } = settings;
  const server = await startHttpServer({
    port,
    tokens,
    allowedHosts: config.mcpHosts,
    serverFor: (bound) =>
      createServer(
        { ...offerOf(flags, settings, source), bound, whyNoSql: whyNoSql(settings, bound !== undefined) },
        scrub,
      ),
    onFailure: (error) => logger.warn({ event: 'mcp.failed', reason: scrub(messageOf(error)) }),
  }).catch((error: unknown) => {
    throw new ConfigError([`Expected --http to be a free port, got ${port}: ${messageOf(error)}`]);
  });
  stderr.write(`Listening on ${server.url}\n`);
  try {
    await new Promise<void>((done) => {
      signal.addEventListener('abort', () => done());
      if (signal.aborted) done();
    });
  } finally {
    await server.close();
  }
}

/** @throws ConfigError if it holds no token, or others than its owner may read it */
async function readTokensFile({ config }: Settings): Promise<readonly TokenGrant[]> {
  const { mcpTokensFile: file } = config;
  if (file === undefined) {
    throw new ConfigError([
      'Expected AIRANK_MCP_TOKENS_FILE to be set for --http, got nothing. Each line of the file is a token of 32 characters ' +
        'or more (openssl rand -hex 32), a space and a client, or * for all',
    ]);
  }
  const { readTokens } = await import('../../mcp/serve/tokens.ts');
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigError([
        `Others on this machine can read ${file}, which holds tokens. Run: chmod 600 ${file}`,
      ]);
    }
    return readTokens(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`Cannot read the file ${file} of AIRANK_MCP_TOKENS_FILE: ${messageOf(error)}`]);
  }
}
