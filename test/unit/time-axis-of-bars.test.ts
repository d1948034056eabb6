// The time axis below bars: ECharts would widen it by days for the width of few bars.
import { expect, it } from 'vitest';
import { citationChanges } from '../../src/reporting/dashboard/charts/citation-changes.ts';
import { renderSvg } from '../../src/reporting/dashboard/render-svg.ts';
import { drawContext } from '../support/draw-context.ts';

function labelsOf(...dates: readonly string[]): string[] {
  const rows = dates.map((date) => [date, '4', '1', '0', '0']);
  const period = { from: '2026-08-25', to: '2026-11-22' };
  const [drawing] = citationChanges.draw(rows, drawContext({ period, language: 'en' }));
  if (drawing?.type !== 'picture') throw new Error('no picture');
  const svg = renderSvg(drawing.option, { widthPx: 1000, heightPx: 260, label: 'x' });
  return [...svg.matchAll(/<text[^>]*>([^<]+)<\/text>/g)].map(([, text]) => text ?? '');
}

it('is that of the period, wherever the bars stand', () => {
  const ends = labelsOf('2026-08-25', '2026-11-22');
  expect(ends).toContain('22 Nov');
  expect(labelsOf('2026-11-01')).toEqual(ends);
});
