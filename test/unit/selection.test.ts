// Which client is meant, and what a job of the command line selects.
import { describe, expect, it } from 'vitest';
import { readSelection, type SelectionFlags } from '../../src/cli/selection.ts';
import { namedClient } from '../../src/config/names.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { good, load } from '../support/config-fixtures.ts';

const client = (clientId: string, name: string, account = 'a') => ({ account, clientId, name });
const clients = [
  ...[client('c1', 'Clínica Ondas'), client('c2', 'Bodega Roble'), client('c3', 'Bodega Luna')],
  client('Luna', 'Hotel Faro'),
];
const found = (given: string, among = clients) => namedClient(among, given, 'a client').clientId;

describe('a client that is named', () => {
  it.each([
    ['by account and id', 'a/c2', 'c2'],
    ['by id', 'c3', 'c3'],
    ['by id before name, whatever its letters', 'luna', 'Luna'],
    ['by name', 'Bodega Roble', 'c2'],
    ['by name without capitals', 'bodega roble', 'c2'],
    ['by name without accents', 'CLINICA ONDAS', 'c1'],
    ['by name with accents that it lacks, and blanks', ' bodéga  roble ', 'c2'],
    ['by name with its accents as marks of their own', 'Cli\u0301nica Ondas', 'c1'],
  ])('is found %s', (_, given, id) => {
    expect(found(given)).toBe(id);
  });

  it('is found as it is written, where others differ by capitals only', () => {
    const among = [client('x1', 'faro'), client('x2', 'Faro')];
    expect(found('Faro', among)).toBe('x2');
    expect(() => found('FARO', among)).toThrow('got "FARO", which means 2. Use one of a/x1, a/x2');
  });
});

describe('a client that is not there', () => {
  it.each([
    ['Bodega Robla', 'Did you mean Bodega Roble (c2)? There are also: '],
    ['clinca ondas', 'Did you mean Clínica Ondas (c1)? There are also: '],
    ['roble', 'Did you mean Bodega Roble (c2)? There are also: '],
    ['nobody', 'Expected a client, got "nobody". There are: '],
    ['', 'Expected a client, got "". There are: '],
  ])('is answered with names and ids, the nearest first: %j', (given, said) => {
    expect(() => found(given)).toThrow(said);
  });

  it('is answered with few of many, and with accounts where there are several', () => {
    const many = Array.from({ length: 9 }, (_, at) => client(`id-${at}`, `Firm ${at}`, at < 5 ? 'a' : 'b'));
    expect(() => found('Zzz', many)).toThrow(/\. There are: Firm \d \([ab]\/id-\d\), .* and 4 more$/);
    expect(() => found('x', [])).toThrow('There are no clients yet. Run: airank sync');
    expect(() => found('Bodega Lunx', clients.slice(2, 3))).toThrow(/Did you mean Bodega Luna \(c3\)\?$/);
  });
});

async function select(flags: SelectionFlags) {
  const config = load(good);
  return await readSelection(flags, { config, streams: resolveStreams(config) });
}

describe('airank sync --job', () => {
  it('walks again what the job walks again: else it would count as a success without a request', async () => {
    const watch = await select({ job: 'rank-watch' });
    expect(watch).toMatchObject({ job: 'rank-watch', again: true, walk: 'auto' });
    expect(await select({ job: 'weekly-full-refresh' })).toMatchObject({ again: false, walk: 'full' });
    expect(await select({})).toMatchObject({ job: 'sync', again: false, walk: 'auto' });
    expect(await select({ again: true })).toMatchObject({ job: 'sync', again: true });
  });

  it.each<[string, SelectionFlags]>([
    ['streams', { streams: 'airank' }],
    ['clients', { clients: 'a' }],
    ['run date', { runDate: '2026-01-01' }],
    ['walk', { walk: 'auto' }],
  ])('with a %s of its own does not count as the job', async (_name, flags) => {
    expect(await select({ job: 'weekly-full-refresh', ...flags })).toMatchObject({ job: 'sync' });
  });
});
