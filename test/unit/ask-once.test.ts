import { afterEach, describe, expect, it } from 'vitest';
import { probe } from '../../src/api/ask-once.ts';
import type { Attempt, Gate } from '../../src/api/gate/gate.ts';
import { UnavailableError } from '../../src/core/errors.ts';
import { listRequest, recordedClient, testAccount, testHttp } from '../support/api-client-setup.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';

let server: LoopbackServer | undefined;
afterEach(() => server?.close());

const never = new AbortController().signal;
const nowMs = Date.UTC(2026, 0, 5, 6, 0, 0);
const clock = { now: () => nowMs, sleep: async () => undefined };
const gate: Pick<Gate, 'run'> = {
  run: async <T>(_request: unknown, attempt: Attempt<T>) => (await attempt(() => undefined)).result,
};

/** Its body says that it is gzip, and is not. */
async function brokenRefusal(): Promise<LoopbackServer> {
  server = await startLoopbackServer((_request, response) => {
    const date = new Date(nowMs + 60_000).toUTCString();
    response.writeHead(401, { 'content-encoding': 'gzip', date }).end('not gzip');
  });
  return server;
}

describe('a 401 whose body breaks', () => {
  it('is unavailable to a walk', async () => {
    const { url, requests } = await brokenRefusal();
    const { client } = recordedClient(url);
    await expect(client.get(listRequest, never)).rejects.toThrow(UnavailableError);
    await client.close();
    expect(requests).toHaveLength(1);
  });

  it('is unavailable to a probe, which goes by the clock it is given', async () => {
    const { url } = await brokenRefusal();
    const deps = { account: testAccount(url), http: testHttp, timeZone: 'UTC', gate: gate as Gate, clock };
    const probed = await probe(deps, listRequest, never);
    expect(probed.verdict).toMatchObject({ kind: 'unavailable', status: 401 });
    expect(probed).toMatchObject({ clockAheadMs: 60_500, durationMs: 0 });
  });
});
