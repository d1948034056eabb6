// The server of the dashboard where the warehouse fails under it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { ListeningServer } from '../../src/core/http.ts';
import {
  securityHeaders,
  startDashboardServer,
} from '../../src/reporting/dashboard/serve/dashboard-server.ts';

let server: ListeningServer | undefined;

afterEach(() => server?.close());

async function lost(): Promise<never> {
  throw new Error('password of postgres');
}

async function start(failures: unknown[]): Promise<ListeningServer> {
  return await startDashboardServer({
    host: '127.0.0.1',
    port: 0,
    rulesFor: () => ({
      data: { warm: async () => undefined, overview: lost, page: lost },
      assets: { script: '', style: '' },
      language: 'en',
      allowedHosts: [],
      secret: 's'.repeat(43),
      ownToken: 'a.own',
      cookieName: 'own',
    }),
    onFailure: (error) => failures.push(error),
  });
}

it('answers 500 with the headers of every answer, and without the reason', async () => {
  const failures: unknown[] = [];
  server = await start(failures);
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/clients`, {
    headers: { cookie: 'own=a.own' },
  });
  expect([answer.status, await answer.text()]).toEqual([500, 'This page could not be read\n']);
  for (const [name, value] of Object.entries(securityHeaders(undefined)))
    expect(answer.headers.get(name), name).toBe(value);
  expect(failures).toHaveLength(1);
});

it('answers a probe that comes after as many connections as there may be', async () => {
  server = await start([]);
  const { port } = server;
  const silent = Array.from({ length: 64 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  try {
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()).toBe('ok\n');
  } finally {
    for (const socket of silent) socket.destroy();
  }
});
