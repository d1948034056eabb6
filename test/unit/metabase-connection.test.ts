// How airank metabase tells a Metabase where the warehouse is, and sees that it moved.
import { afterEach, describe, expect, it } from 'vitest';
import {
  connectionDetails,
  isSameConnection,
  type WantedDatabase,
} from '../../src/reporting/metabase/database-step.ts';
import { bring, done } from '../support/apply-fake-metabase.ts';
import { type FakeMetabase, startFakeMetabase } from '../support/fake-metabase.ts';

const address = 'postgres://bi:sesame-123@db.example.com/airank';

const given = (url: string): { database: WantedDatabase } => ({
  database: { name: 'AI Rank warehouse', url, reconnect: false },
});

describe('the address of the warehouse', () => {
  it.each([
    ['', {}],
    ['?sslmode=disable', { ssl: false }],
    ['?ssl=true', { ssl: true, 'ssl-mode': 'require' }],
    ['?sslmode=require', { ssl: true, 'ssl-mode': 'require' }],
    ['?sslmode=verify-full', { ssl: true, 'ssl-mode': 'verify-full' }],
  ])('says by "%s" whether Metabase uses TLS', (query, wanted) => {
    const { ssl, 'ssl-mode': mode } = connectionDetails(address + query);
    expect({ ssl, 'ssl-mode': mode }).toEqual(wanted);
  });

  it('holds user and password before the host or as parameters', () => {
    const wanted = { user: 'bi', password: 'pass/word' };
    expect(connectionDetails('postgres://bi:pass%2Fword@db.example.com/airank')).toMatchObject(wanted);
    const byParameters = 'postgres://db.example.com/airank?user=bi&password=pass%2Fword';
    expect(connectionDetails(byParameters)).toMatchObject(wanted);
  });

  it.each([
    [
      '?application_name=bi',
      'no parameters but sslmode, ssl, user, password, got application_name. Leave it',
    ],
    ['?pass-123%2Fword', 'got another one'],
    ['?sslmode=no-verify', 'an address whose sslmode is one of disable, allow'],
    ['?ssl=maybe', '(or ssl true or false), got another value'],
    ['?ssl=true&sslmode=disable', 'with sslmode or ssl, got both. Leave ssl out'],
  ])('is refused with "%s"', (query, message) => {
    expect(() => connectionDetails(address + query)).toThrow('Expected --warehouse-url to be an');
    expect(() => connectionDetails(address + query)).toThrow(message);
  });

  it('is the same as the connection whose TLS Metabase chose, where the address says nothing of it', () => {
    const now = { ...connectionDetails(address), ssl: true };
    expect(isSameConnection(now, connectionDetails(address))).toBe(true);
    expect(isSameConnection(now, connectionDetails(`${address}?sslmode=require`))).toBe(true);
    expect(isSameConnection(now, connectionDetails(`${address}?sslmode=disable`))).toBe(false);
    expect(isSameConnection(now, connectionDetails(`${address}?sslmode=verify-full`))).toBe(false);
  });
});

describe('airank metabase apply', () => {
  let metabase: FakeMetabase;
  afterEach(() => metabase.close());

  it('leaves it to Metabase to find TLS, unless the address says not to use it', async () => {
    for (const [query, ssl] of [
      ['', true],
      ['?sslmode=disable', false],
    ] as const) {
      metabase = await startFakeMetabase({ findsTls: true });
      await bring(metabase, given(address + query));
      expect(metabase.state.databases).toMatchObject([{ details: { ssl } }]);
      expect(done(await bring(metabase, given(address + query)))).toEqual([]);
      if (ssl) await metabase.close();
    }
  });
});
