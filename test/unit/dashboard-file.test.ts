// Checks whose pages a file holds: beyond 50 clients those of the accounts alone.
import { expect, it } from 'vitest';
import { fileScopes } from '../../src/reporting/dashboard/document/dashboard-file.ts';
import { writeDashboards } from '../../src/reporting/dashboard/document/write-dashboards.ts';
import type { PageSource } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';

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
