// The server of the dashboard where the warehouse fails under it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type ListeningServer, securityHeaders } from '../../src/core/http.ts';
import { startDashboardServer } from '../../src/reporting/dashboard/serve/dashboard-server.ts';

let server: ListeningServer | undefined;

afterEach(() => server?.close());

async function lost(): Promise<never> {
  throw new Error('password of postgres');
}

async function start(failures: unknown[]): Promise<ListeningServer> {
  return await startDashboardServer({
    port: 0,
    data: { warm: async () => undefined, overview: lost, page: lost },
    assets: { script: '', style: '' },
    language: 'en',
    secretPath: 'word',
    onFailure: (error) => failures.push(error),
  });
}

it('answers 500 with the headers of every answer, and without the reason', async () => {
  const failures: unknown[] = [];
  server = await start(failures);
  const answer = await fetch(`http://127.0.0.1:${server.port}/word/api/clients`);
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
    expect((await fetch(`http://127.0.0.1:${port}/word/`)).status).toBe(200);
  } finally {
    for (const socket of silent) socket.destroy();
  }
});
