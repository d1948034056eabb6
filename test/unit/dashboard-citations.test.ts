// Bars of cited pages: by day, and over long periods by week, none of which loses a page.
import { expect, it } from 'vitest';
import type { Period, Row } from '../../src/dashboard/charts/chart.ts';
import { citationChanges } from '../../src/dashboard/charts/citation-changes.ts';
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
