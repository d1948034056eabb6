import { describe, expect, it } from 'vitest';
import { pruneLines } from '../../src/cli/print/print-prune.ts';
import { readPruneFlags } from '../../src/cli/setup/prune-flags.ts';

describe('readPruneFlags', () => {
  it('names every fault at once, and why a stream is left alone', () => {
    const read = () => readPruneFlags({ before: 'may', streams: 'citas,actions', clients: ',' }, []);
    expect(read).toThrow('Expected --before to be a date such as 2026-04-03, got "may"');
    expect(read).toThrow('got "actions": its versions are the history that views show. Leave it out');
    expect(read).toThrow('got "citas": an archive only grows, so its records are current. Leave it out');
    expect(read).toThrow('Expected --clients to name at least one client, got none');
  });

  it('takes every stream that is not left alone, and says which are', () => {
    const selection = readPruneFlags({ before: '2026-04-03', keep: 'weekly' }, []);
    expect(selection.streams).toContain('products');
    expect(selection.streams).not.toContain('clientes');
    expect(selection.leftAlone).toContainEqual({ stream: 'clientes', why: 'history' });
    expect(pruneLines([], selection, true, 80)[0]).toBe(
      'Nothing is there to prune of run dates before 2026-04-03, but for the last complete date of each week.',
    );
  });
});
