// Checks whose pages an address asks for.
import { describe, expect, it } from 'vitest';
import type { PageScope } from '../../src/reporting/dashboard/page/page-data.ts';
import { scopeInAddress } from '../../src/reporting/dashboard/page/page-state.ts';

const scope = (clientId: string, name: string, account = 'a'): PageScope => ({
  clientKey: `${account}/${clientId}`,
  account,
  clientId,
  name,
  leftOn: null,
});
const scopes = [scope('', 'Agency'), scope('7', 'Bodega Luna'), scope('8', 'Clínica Ondas')];
const keyOf = (given: string | undefined, among = scopes) => {
  const asked = scopeInAddress(among, given);
  return asked?.isUnknown === true ? 'unknown' : asked?.scope.clientKey;
};

describe('an address', () => {
  it.each([
    ['nobody: the first there is', undefined, 'a/'],
    ['an account', 'a/', 'a/'],
    ['a client by its key', 'a/7', 'a/7'],
    ['a client by its id alone', '7', 'a/7'],
    ['a client by its name', 'bodega luna', 'a/7'],
    ['somebody who is not here', 'a/9', 'unknown'],
    ['nothing that could be somebody', '', 'unknown'],
  ])('may name %s', (_, given, key) => {
    expect(keyOf(given)).toBe(key);
  });

  it('names nobody by an id that several have', () => {
    expect(keyOf('7', [...scopes, scope('7', 'Hotel Faro', 'b')])).toBe('unknown');
  });

  it('names nobody where nobody is', () => {
    expect(scopeInAddress([], 'a/7')).toBeUndefined();
  });
});
