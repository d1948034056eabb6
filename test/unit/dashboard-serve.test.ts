import { describe, expect, it, vi } from 'vitest';
import { isAllowedHost, securityHeaders } from '../../src/core/http.ts';
import { fileScopes } from '../../src/reporting/dashboard/document/dashboard-file.ts';
import { writeDashboards } from '../../src/reporting/dashboard/document/write-dashboards.ts';
import type { PageSource } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { startDashboardServer } from '../../src/reporting/dashboard/serve/dashboard-server.ts';
import { remember } from '../../src/reporting/dashboard/serve/live-data.ts';
import { closing } from '../support/closing.ts';

it('a page is for names of this machine and those that are set, and for nothing that looks like them', () => {
  const isAnswered = (host: string | undefined) => isAllowedHost(host, ['dash.example.com']);
  const own = ['127.0.0.1', '127.0.0.1:9465', 'LOCALHOST:1', '[::1]:80', 'DASH.example.com:443'];
  expect(own.filter((host) => !isAnswered(host))).toEqual([]);
  const others = [
    ...[undefined, '', 'evil.example', '127.0.0.1.evil.example', '127.0.0.1:9465.evil.example'],
    ...['localhost@evil.example', 'evil.example#localhost', 'x.dash.example.com', 'dash.example.com.'],
    ...['127.0.0.2', '0x7f000001', 'localhost, evil.example'],
  ];
  expect(others.filter(isAnswered)).toEqual([]);
});

describe('what is remembered', () => {
  it('is read once while it is fresh, also by those who ask at the same time', async () => {
    let [reads, now] = [0, 0];
    const held = remember<number>(100, 2, () => now);
    const read = async () => ++reads;
    expect(await Promise.all([held.get('a', read), held.get('a', read)])).toEqual([1, 1]);
    now = 99;
    expect(await held.get('a', read)).toBe(1);
    now = 100;
    expect(await held.get('a', read)).toBe(2);
  });

  it('is the newest, and nothing that failed', async () => {
    const held = remember<string>(100, 2, () => 0);
    await expect(held.get('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    for (const key of ['a', 'b', 'c']) await held.get(key, async () => `${key}1`);
    expect(await held.get('a', async () => 'a2')).toBe('a2');
    expect(await held.get('c', async () => 'c2')).toBe('c1');
  });
});

it('the headers of a page allow no script but the one with the nonce, and no inline style', () => {
  const policy = securityHeaders('abc')['content-security-policy'];
  expect(policy).toContain("script-src 'nonce-abc';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*|data:.*script/);
  expect(securityHeaders(undefined)['content-security-policy']).not.toContain('script-src');
});

const kept = closing();
const lost = () => Promise.reject(new Error('password of postgres'));

async function start(onFailure: (error: unknown) => unknown = () => undefined) {
  const data = { warm: async () => undefined, overview: lost, page: lost };
  const given = {
    port: 0,
    data,
    assets: { script: '', style: '' },
    language: 'en',
    secretPath: 'word',
  } as const;
  return kept(await startDashboardServer({ ...given, onFailure: (error) => void onFailure(error) }));
}

it('answers 500 with the headers of every answer, and without the reason', async () => {
  const onFailure = vi.fn();
  const { port } = await start(onFailure);
  const answer = await fetch(`http://127.0.0.1:${port}/word/api/clients`);
  expect([answer.status, await answer.text()]).toEqual([500, 'This page could not be read\n']);
  for (const [name, value] of Object.entries(securityHeaders(undefined)))
    expect(answer.headers.get(name), name).toBe(value);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

const scopeOf = (clientId: string, leftOn: string | null = null) => ({
  ...{ clientKey: `agency/${clientId}`, account: 'agency', clientId, name: clientId, leftOn },
});
const account = scopeOf('');
const clients = (number: number) => Array.from({ length: number }, (_, place) => scopeOf(`c${place}`));

it('holds the account and up to 50 clients that are there', () => {
  const all = [account, ...clients(50)];
  expect(fileScopes([...all, scopeOf('gone', '2026-03-01')])).toEqual({ scopes: all, leftOut: 0 });
});

it('holds the account alone where there are more', () => {
  expect(fileScopes([account, ...clients(51)])).toEqual({ scopes: [account], leftOut: 51 });
});

it('is refused to a job that names more, and not the account', async () => {
  const request = { folder: '/nowhere', isPerClient: false, assets: { script: '', style: '' } };
  const { signal } = new AbortController();
  const scopes = clients(51);
  const written = writeDashboards({} as PageSource, { ...request, language: 'en', signal, scopes });
  const text = 'Expected at most 50 clients for one file, got 51. perClient: true writes a file for each';
  await expect(written).rejects.toThrow(text);
});
