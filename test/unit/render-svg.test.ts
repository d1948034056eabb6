import { describe, expect, it } from 'vitest';
import type { DrawContext } from '../../src/reporting/dashboard/charts/chart.ts';
import { lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';
import { rankTrend } from '../../src/reporting/dashboard/charts/rank-trend.ts';
import { renderSvg } from '../../src/reporting/dashboard/render-svg.ts';

const hostile = '<script>alert(1)</script>"\'&]]> مرحبا 🤖';
const size = { widthPx: 640, heightPx: 300, label: hostile };

const context: DrawContext = {
  language: 'es',
  palette: lightPalette,
  period: { from: '2026-03-01', to: '2026-03-31' },
  compare: undefined,
  markers: [{ date: '2026-03-10', type: 'note', title: hostile }],
  changes: [],
  gaps: {},
  clientKey: 'a/1',
  widthPx: 640,
};

describe('renderSvg', () => {
  it('draws a chart as one SVG that scales', () => {
    const [drawing] = rankTrend.draw([['2026-03-02', 'v2', '54.1', '3', 'airank']], context);
    if (drawing?.type !== 'picture') throw new Error('no picture');
    const svg = renderSvg(drawing.option, size);
    expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+" [^>]*viewBox="0 0 640 300"/);
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(3);
    expect(svg).toMatch(/system-ui/);
  });

  it('escapes texts of the data, and holds no script and no address', () => {
    const rows = [
      ['2026-03-02', hostile, '54.1', null, null],
      ['2026-03-03', hostile, '54.1', null, null],
    ];
    const [drawing] = rankTrend.draw(rows, context);
    if (drawing?.type !== 'picture') throw new Error('no picture');
    const svg = renderSvg(drawing.option, size);
    expect(svg).not.toMatch(/<(script|style|foreignObject|image)|javascript:|\bNaN\b/);
    expect(svg.replaceAll(/xmlns(:\w+)?="[^"]+"/g, '')).not.toMatch(/https?:|href/);
    expect(svg).toContain('&lt;script');
    expect(svg).not.toMatch(/aria-label="[^"]*[<]/);
  });

  it('takes a label as it is, also with what means something in a replacement', () => {
    const option = { xAxis: { data: ['a'] }, yAxis: {}, series: [{ type: 'line' as const, data: [1] }] };
    const svg = renderSvg(option, { ...size, label: `price $' and $& of $1` });
    expect(svg).toContain('aria-label="price $&#39; and $&amp; of $1"');
  });

  it('refuses what it would leave out', () => {
    const option = { series: [{ type: 'pie' as const, data: [1] }] };
    expect(() => renderSvg(option, size)).toThrow(
      'Expected a series to be one of line, bar, scatter, heatmap, got pie',
    );
  });
});
