// HTTPS_PROXY and NO_PROXY: what goes through the proxy, what it sees, and what is said when it refuses.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { proxyFor } from '../../src/config/addresses.ts';
import { type ProxyConfig, Secret } from '../../src/config/config.ts';
import { secretsOf } from '../../src/config/secrets-of.ts';
import { RetryableError } from '../../src/core/errors.ts';
import { postJson } from '../../src/core/http.ts';
import { createScrubber } from '../../src/core/logger.ts';
import { createChannels } from '../../src/mail/channels.ts';
import { createMetabaseHttp } from '../../src/reporting/metabase/metabase-http.ts';
import { listRequest, recordedClient, testKey } from '../support/api-client-setup.ts';
import { closing } from '../support/closing.ts';
import { faultsOf, good, load } from '../support/config-fixtures.ts';
import { sendJson } from '../support/loopback-server.ts';
import { postOnce } from '../support/post-once.ts';
import { selfSigned } from '../support/self-signed.ts';

interface TunnelWorld {
  /** Address of the server, which only the proxy can resolve. */
  readonly url: string;
  readonly proxyPort: number;
  /** Every request that came to the server. */
  readonly requests: readonly IncomingMessage[];
  /** `name:port` and login of each CONNECT. */
  readonly tunnels: readonly { readonly to: string; readonly login: string | undefined }[];
  /** Everything that went through the tunnels towards the server. */
  seenByProxy(): Buffer;
  close(): Promise<void>;
}

/** @param refusal the proxy's answer to every CONNECT; `hang up`: none at all, `silence`: never one */
async function startTunnelWorld(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  refusal?: number | 'hang up' | 'silence',
): Promise<TunnelWorld> {
  const requests: IncomingMessage[] = [];
  const tunnels: { to: string; login: string | undefined }[] = [];
  const seen: Buffer[] = [];
  const server = createTlsServer(selfSigned(), (request, response) => {
    requests.push(request);
    respond(request, response);
  });
  const proxy = createHttpServer((_, response) => response.writeHead(501).end());
  // The server of a tunnel no longer counts its socket as a connection.
  const sockets = new Set<Duplex>();
  proxy.on('connect', (request: IncomingMessage, socket) => {
    sockets.add(socket);
    tunnels.push({ to: request.url ?? '', login: request.headers['proxy-authorization'] });
    socket.on('error', () => undefined);
    if (refusal === 'silence') return;
    if (refusal === 'hang up') return socket.destroy();
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
    const through = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes) => seen.push(bytes));
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
  });
  const port = await listen(server);
  const proxyPort = await listen(proxy);
  return {
    url: `https://api.example.test:${port}`,
    proxyPort,
    requests,
    tunnels,
    seenByProxy: () => Buffer.concat(seen),
    close: async () => {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await Promise.all([server, proxy].map((one) => new Promise((done) => one.close(done))));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const kept = closing();
// The server's certificate is nobody's, and trust is not what is tested here.
beforeEach(() => vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'));
afterEach(() => void vi.unstubAllEnvs());

const world = async (...args: Parameters<typeof startTunnelWorld>) => kept(await startTunnelWorld(...args));

const login = 'agency:p%40ss-w0rd-9';
const sentLogin = `Basic ${Buffer.from('agency:p@ss-w0rd-9').toString('base64')}`;
const address = (port: number) => `http://${login}@127.0.0.1:${port}`;
const through = (port: number, except = ''): ProxyConfig => ({ url: new Secret(address(port)), except });

function api(url: string, proxy: ProxyConfig, connectTimeoutMs = 2_000) {
  const recorded = recordedClient(url, { http: { proxy, connectTimeoutMs, maxAttempts: 2 } });
  kept(recorded.client);
  return recorded;
}

const never = new AbortController().signal;

describe('a request through a proxy', () => {
  test('to the API goes by CONNECT, with the login for the proxy and the key for the server alone', async () => {
    const there = await world((_, response) => sendJson(response, 200, []));
    const { url, proxyPort, requests, tunnels, seenByProxy } = there;
    const { client } = api(url, through(proxyPort));
    for (let times = 0; times < 5; times += 1) await client.get(listRequest, never);
    expect(tunnels[0]).toEqual({ to: new URL(url).host, login: sentLogin });
    // A tunnel serves many requests; undici opens a second one where it may save a wait.
    expect(tunnels.length).toBeLessThanOrEqual(2);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill(`Bearer ${testKey}`));
    expect(requests[0]?.headers['proxy-authorization']).toBeUndefined();
    expect(seenByProxy().length).toBeGreaterThan(100);
    expect(seenByProxy().includes(testKey)).toBe(false);
  });

  test('to a webhook and to Metabase goes by it too', async () => {
    const { url, proxyPort, requests, tunnels } = await world((_, response) => sendJson(response, 200, {}));
    const webhooks = (['slack', 'json'] as const).map((format) => ({
      ...{ name: format, url: new Secret(`${url}/${format}`), format, proxy: through(proxyPort).url },
    }));
    const scrub = (text: string) => text;
    const channels = createChannels({ webhooks, smtp: undefined }, ['slack', 'json'], { scrub });
    const message = { subject: '', lines: [], json: {} };
    expect(await Promise.all(channels.map((one) => one.send(message)))).toEqual([undefined, undefined]);
    const metabase = { url: new URL(url), key: new Secret('mb-1234567890'), signal: never };
    await createMetabaseHttp({ ...metabase, proxy: through(proxyPort).url }).get('user/current', z.unknown());
    expect(requests.map((request) => request.url).sort()).toEqual(['/api/user/current', '/json', '/slack']);
    expect(tunnels).toHaveLength(3);
  });
});

describe('a proxy that gives no tunnel', () => {
  test.each([
    [407, /answered 407, after 2 of 2 tries\. Check user and password in HTTPS_PROXY\.$/],
    [
      403,
      /answered 403 to CONNECT api\.example\.test:\d+, after 2 of 2 tries\. Allow that address in the proxy, or add api\.example\.test to NO_PROXY\.$/,
    ],
    [
      'hang up',
      /opened no tunnel \(UND_ERR_SOCKET\), after 2 of 2 tries\. Check host and port in HTTPS_PROXY, or add api\.example\.test to NO_PROXY\.$/,
    ],
    ['silence', /opened no tunnel within 200 ms, after 2 of 2 tries\. Check host and port in HTTPS_PROXY/],
  ] as const)('(%s) is named with its setting, and no request counts as sent', async (refusal, said) => {
    const { url, proxyPort, tunnels } = await world(() => undefined, refusal);
    const { client, unsent, runs } = api(url, through(proxyPort), refusal === 'silence' ? 200 : 2_000);
    const failure: unknown = await client.get(listRequest, never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetryableError);
    const { message } = failure as RetryableError;
    expect(message).toMatch(said);
    expect(message).toContain(`could not be reached: the proxy 127.0.0.1:${proxyPort} of HTTPS_PROXY`);
    expect(message).not.toContain('w0rd');
    // One for each of the two attempts.
    expect([runs(), unsent(), tunnels.length]).toEqual([2, 2, 2]);
  });

  test('because nothing listens there is named with its setting', async () => {
    const { url, proxyPort, close } = await world(() => undefined);
    await close();
    const problem = `the proxy 127.0.0.1:${proxyPort} of HTTPS_PROXY opened no tunnel (ECONNREFUSED)`;
    const said = `${problem}. Check host and port in HTTPS_PROXY`;
    await expect(api(url, through(proxyPort)).client.get(listRequest, never)).rejects.toThrow(problem);
    const post = { url, body: '{}', timeoutMs: 2_000, proxy: address(proxyPort) };
    expect(await postJson(post)).toContain(said);
    const metabase = { url: new URL(url), key: new Secret('mb-1234567890'), signal: never };
    const http = createMetabaseHttp({ ...metabase, proxy: through(proxyPort).url });
    await expect(http.look('session/properties', z.unknown())).rejects.toThrow(said);
  });

  test('leaves a write certainly unsent', async () => {
    const { url, proxyPort } = await world(() => undefined, 407);
    const { outcome, givenBack } = await postOnce(url, { http: { proxy: through(proxyPort) } });
    expect(outcome).toMatchObject({ kind: 'unsent', fix: 'Check user and password in HTTPS_PROXY.' });
    expect(givenBack).toBe(1);
  });
});

test.each([
  ['https://api.example.com', '', true],
  ['https://api.example.com', 'other.example.com, example.org', true],
  ['https://api.example.com', 'api.example.com', false],
  ['https://api.example.com', 'EXAMPLE.com', false],
  ['https://api.example.com', 'localhost *.example.com', false],
  ['https://api.example.com', 'ample.com', true],
  ['https://api.example.com', 'example.com:443', false],
  ['https://api.example.com:8443', 'example.com:8443', false],
  ['https://api.example.com', '*', false],
  ['https://localhost:8443', '', false],
  ['https://[::1]:8443', '', false],
  ['http://api.example.com', '', false],
])('%s with NO_PROXY="%s" goes by the proxy: %s', (url, except, isProxied) => {
  expect(proxyFor(new URL(url), through(3128, except)) !== undefined).toBe(isProxied);
});

describe('the settings of the proxy', () => {
  const proxyOf = (env: NodeJS.ProcessEnv, files = {}) => load({ ...good, ...env }, files).http.proxy;

  test('are read in upper and lower case, the lower first, and .env last', () => {
    expect(proxyOf({})).toBeUndefined();
    const both = { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2', no_proxy: 'example.com' };
    expect(proxyOf(both)?.url.reveal()).toBe('http://b:2');
    expect(proxyOf(both)?.except).toBe('example.com');
    const beside = proxyOf({ HTTPS_PROXY: 'http://a:1' }, { '.env': 'https_proxy=http://b:2' });
    expect(beside?.url.reveal()).toBe('http://a:1');
    expect(proxyOf({ https_proxy: '', HTTPS_PROXY: 'http://a:1' })).toBeUndefined();
  });

  test('may leave the scheme out, and are refused as an address of another kind', () => {
    const short = proxyOf({ HTTPS_PROXY: 'proxy.example.com:3128' });
    expect(short?.url.reveal()).toBe('http://proxy.example.com:3128');
    expect(faultsOf({ ...good, HTTPS_PROXY: 'socks5://agency:hunter2-hunter2@proxy:1080' })).toEqual([
      'Expected HTTPS_PROXY to be the address of an http proxy such as http://proxy.example.com:3128, got one with the scheme socks5',
    ]);
    const [broken = ''] = faultsOf({ ...good, HTTPS_PROXY: 'http://agency:hunter2%@proxy:1080' });
    expect(broken).toMatch(/got a text of 33 characters$/);
  });

  test('scrub the login in each form in which it turns up', () => {
    const config = load({ ...good, HTTPS_PROXY: `http://${login}@proxy.example.com` });
    const scrub = createScrubber(secretsOf(config));
    const texts = [`http://${login}@proxy.example.com`, 'p@ss-w0rd-9', 'p%40ss-w0rd-9', sentLogin.slice(6)];
    for (const text of texts) expect(scrub(`it said ${text}.`)).not.toContain(text);
    const said = 'the proxy proxy.example.com of HTTPS_PROXY';
    expect(scrub(said)).toBe(said);
  });

  test('give a webhook its proxy, unless it is a loopback host', () => {
    const urls = {
      AIRANK_WEBHOOK_URL: 'https://hooks.example.com/a',
      AIRANK_SLACK_WEBHOOK_URL: 'https://localhost/b',
    };
    const { webhooks } = load({ ...good, ...urls, HTTPS_PROXY: 'http://proxy:3128' });
    expect(webhooks.map(({ proxy }) => proxy?.reveal())).toEqual(['http://proxy:3128', undefined]);
  });
});
