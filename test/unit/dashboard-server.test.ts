// The server of the dashboard where the warehouse fails under it.
import { afterEach, expect, it } from 'vitest';
import { type DashboardServer, startDashboardServer } from '../../src/dashboard/serve/dashboard-server.ts';
import { securityHeaders } from '../../src/dashboard/serve/security-headers.ts';

let server: DashboardServer | undefined;

afterEach(() => server?.close());

it('answers 500 with the headers of every answer, and without the reason', async () => {
  const lost = async () => {
    throw new Error('password of postgres');
  };
  const failures: unknown[] = [];
  server = await startDashboardServer({
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
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/clients`, {
    headers: { cookie: 'own=a.own' },
  });
  expect([answer.status, await answer.text()]).toEqual([500, 'This page could not be read\n']);
  for (const [name, value] of Object.entries(securityHeaders(undefined)))
    expect(answer.headers.get(name), name).toBe(value);
  expect(failures).toHaveLength(1);
});
