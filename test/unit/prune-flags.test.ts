import { describe, expect, it } from 'vitest';
import { pruneLines, readPruneFlags } from '../../src/cli/commands/prune-command.ts';
import { readNamedClients } from '../../src/cli/selection.ts';

describe('readPruneFlags', () => {
  it('names every fault at once, and why a stream is left alone', () => {
    const read = () => readPruneFlags({ before: 'may', streams: 'citas,actions' }, []);
    expect(read).toThrow('Expected --before to be a date such as 2026-04-03, got "may"');
    expect(read).toThrow('got "actions": its versions are the history that views show. Leave it out');
    expect(read).toThrow('got "citas": an archive only grows, so its records are current. Leave it out');
  });

  it('takes every stream that is not left alone, and says which are', () => {
    const selection = readPruneFlags({ before: '2026-04-03', keep: 'weekly' }, []);
    expect(selection.streams).toContain('products');
    expect(selection.streams).not.toContain('clientes');
    expect(selection.leftAlone).toContainEqual({ stream: 'clientes', why: 'history' });
    const lines = pruneLines({ streams: [], comparedDates: [] }, selection, true, 80);
    expect(lines.slice(0, 2).join(' ')).toBe(
      'Nothing is there to prune of run dates before 2026-04-03, but for the last complete date of each week.',
    );
    expect(lines.join(' ')).toContain('Left alone, as archives only grow: ');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const warned = pruneLines(
      { streams: [], comparedDates: ['2026-03-20', '2026-03-27'] },
      selection,
      true,
      80,
    );
    expect(warned.join(' ').replaceAll(/ +/g, ' ')).toContain(
      '! What 2 changes of bi.rank_latest (change_7d, change_28d) compared with would go, from 2026-03-20 on: they would take an older date',
    );
    expect(warned.filter((line) => line.length > 80)).toEqual([]);
  });

  it('names the nearest stream', () => {
    expect(() => readPruneFlags({ before: '2026-04-03', streams: 'prodcts' }, [])).toThrow(
      'got "prodcts". Did you mean products?',
    );
  });
});

describe('readNamedClients', () => {
  const known = [
    { account: 'north', clientId: '7', name: 'Acme' },
    { account: 'south', clientId: '7', name: 'Other' },
    { account: 'south', clientId: 'bodega', name: 'Bodega Luna' },
  ];

  it('takes an identifier in every account, and a name as everywhere', () => {
    expect(readNamedClients(['7', 'bodega luna'], known)).toEqual(known);
    expect(readNamedClients(undefined, known)).toBeUndefined();
  });

  it('names every unknown one, and the nearest', () => {
    expect(() => readNamedClients([], known)).toThrow('Expected --clients to name at least one client');
    const read = () => readNamedClients(['bodga', 'nobody'], known);
    expect(read).toThrow(
      'Expected --clients to be identifiers or names of clients, got "bodga". Did you mean',
    );
    expect(read).toThrow('got "nobody". There are:');
  });
});
