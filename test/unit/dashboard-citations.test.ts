// Bars of cited pages: by day, and over long periods by week, none of which loses a page.
import { expect, it } from 'vitest';
import type { Period, Row } from '../../src/reporting/dashboard/charts/chart.ts';
import { citationChanges } from '../../src/reporting/dashboard/charts/citation-changes.ts';
import { citedPageFigures } from '../../src/reporting/dashboard/charts/cited-page-figures.ts';
import { drawContext } from '../support/draw-context.ts';

const rows: readonly Row[] = [
  ['2026-02-26', '1', '1', '0', '0'],
  ['2026-03-01', '2', '0', '0', '0'],
  ['2026-03-02', '4', '3', '0', '0'],
  ['2026-03-04', '8', '0', '0', '0'],
];

function barsIn(period: Period): unknown {
  const [drawing] = citationChanges.draw(rows, drawContext({ period }));
  if (drawing?.type !== 'picture') throw new Error('no picture');
  return [drawing.option.series].flat().map((one) => one?.data);
}

it('are a day each in a short period', () => {
  expect(barsIn({ from: '2026-02-26', to: '2026-03-04' })).toEqual([
    [
      ['2026-02-26', 1],
      ['2026-03-01', 2],
      ['2026-03-02', 4],
      ['2026-03-04', 8],
    ],
    [
      ['2026-02-26', -1],
      ['2026-03-01', 0],
      ['2026-03-02', -3],
      ['2026-03-04', 0],
    ],
  ]);
});

it('are a week each over more than 180 days, the first from the beginning of the period', () => {
  expect(barsIn({ from: '2026-02-26', to: '2026-12-31' })).toEqual([
    [
      ['2026-02-26', 3],
      ['2026-03-02', 12],
    ],
    [
      ['2026-02-26', -1],
      ['2026-03-02', -3],
    ],
  ]);
});

it('in tiles stand beside a period of which all dates can be compared', () => {
  const tilesSince = (first: string) => {
    const rows = [
      ['2026-02-10', 'gained', '1', first],
      ['2026-03-02', 'gained', '3', first],
    ];
    const compare = { from: '2026-02-01', to: '2026-02-28' };
    const period = { from: '2026-03-01', to: '2026-03-28' };
    const [drawing] = citedPageFigures.draw(rows, drawContext({ period, compare }));
    return drawing?.type === 'tiles' ? drawing.tiles : [];
  };
  expect(tilesSince('2026-01-31')).toMatchObject([
    { value: '3', change: '+2', note: '1 in the period beside it' },
    { value: '0', change: 'unchanged', direction: 'same' },
  ]);
  const [young] = tilesSince('2026-02-09');
  expect(young).not.toHaveProperty('change');
  expect(young?.note).toBe('nothing to compare with: citations since 9 Feb 2026');
});
