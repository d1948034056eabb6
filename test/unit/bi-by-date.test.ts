// Which sources are kept by date: those that a curated view shows by date.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/package-root.ts';
import { logicalSources } from '../../src/warehouse/bi/logical-sources.ts';

describe('sources that are kept by date', () => {
  const byDate = logicalSources.filter((source) => source.isByDate);

  it('are those that curated views read by date, but for the points of the AI Rank, which have a table', () => {
    const folder = join(packageRoot(), 'sql/bi');
    const read = readdirSync(folder)
      .filter((file) => !file.startsWith('_'))
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/bi_map\.(\w+)_daily\b/g)])
      .map((match) => match[1] ?? '');
    expect(byDate.map((source) => source.name).sort()).toEqual([...new Set(read)].sort());
  });

  it('have no text that is too long to be kept twice', () => {
    expect(byDate.filter((source) => source.longField !== undefined)).toEqual([]);
  });
});
