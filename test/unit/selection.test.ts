import { describe, expect, it } from 'vitest';
import { readSelection, type SelectionFlags } from '../../src/cli/selection.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { good, load } from '../support/config-fixtures.ts';

async function select(flags: SelectionFlags) {
  const config = load(good);
  return await readSelection(flags, { config, streams: resolveStreams(config) });
}

describe('airank sync --job', () => {
  it('walks again what the job walks again: else it would count as a success without a request', async () => {
    expect(await select({ job: 'rank-watch' })).toMatchObject({
      job: 'rank-watch',
      again: true,
      walk: 'auto',
    });
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
