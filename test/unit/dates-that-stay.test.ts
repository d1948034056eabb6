import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { datesThatStay, factStreams, whyLeftAlone } from '../../src/retention/prune/dates-that-stay.ts';
import { catalog } from '../../src/streams/catalog.ts';

const days = (month: string, ...places: number[]) =>
  places.map((place) => `2026-${month}-${String(place).padStart(2, '0')}`);

describe('datesThatStay', () => {
  it('keeps the last complete date of each month, and everything from the date on', () => {
    const complete = [...days('01', 1, 29, 30), ...days('02', 1, 2, 20), ...days('03', 1, 15, 16, 17)];
    expect(datesThatStay(complete, { before: '2026-03-16', keep: 'monthly' })).toEqual([
      '2026-01-30',
      '2026-02-20',
      '2026-03-16',
      '2026-03-17',
    ]);
  });

  it('begins weeks on Monday, also across a year', () => {
    // 2026-01-04 is a Sunday.
    const complete = [
      '2025-12-29',
      '2025-12-31',
      '2026-01-03',
      '2026-01-04',
      '2026-01-05',
      ...days('02', 1, 2),
    ];
    expect(datesThatStay(complete, { before: '2026-02-01', keep: 'weekly' })).toEqual([
      '2026-01-04',
      '2026-01-05',
      '2026-02-01',
      '2026-02-02',
    ]);
  });

  it('keeps none before the date without a period, but always the two newest', () => {
    const complete = days('01', 1, 2, 3, 4);
    expect(datesThatStay(complete, { before: '2026-01-04', keep: undefined })).toEqual(days('01', 3, 4));
    expect(datesThatStay(complete, { before: '2027-01-01', keep: undefined })).toEqual(days('01', 3, 4));
    expect(datesThatStay([], { before: '2027-01-01', keep: 'weekly' })).toEqual([]);
  });
});

describe('whyLeftAlone', () => {
  it('leaves archives and histories alone', () => {
    expect(whyLeftAlone({ name: 'citas', shape: 'archive' })).toBe('archive');
    expect(whyLeftAlone({ name: 'actions', shape: 'state' })).toBe('history');
    expect(whyLeftAlone({ name: 'products', shape: 'state' })).toBeUndefined();
  });

  it('every curated view that reads versions which ended reads what pruning leaves right', () => {
    const folder = join(packageRoot(), 'sql/bi');
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const names = texts.flatMap((text) =>
      [...text.matchAll(/bi_map\.(\w+)_version/g)].map((match) => match[1]),
    );
    const streams = new Set(names.map((name) => logicalSources.find((one) => one.name === name)?.stream));
    const left = catalog.filter((stream) => whyLeftAlone(stream) !== undefined).map((stream) => stream.name);
    // Pages gained and lost are told between two complete dates, whichever these are.
    const right = [...left, ...factStreams, 'citations'];
    expect([...streams].filter((stream) => !right.includes(String(stream)))).toEqual([]);
  });
});
