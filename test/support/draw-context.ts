// What a chart is drawn for in tests: English, light and wide, unless a test says otherwise.
import type { DrawContext } from '../../src/reporting/dashboard/charts/chart.ts';
import { lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';

export function drawContext(given: Partial<DrawContext> = {}): DrawContext {
  return {
    language: 'en',
    palette: lightPalette,
    period: { from: '2026-03-01', to: '2026-04-30' },
    compare: undefined,
    markers: [],
    changes: [],
    clientKey: 'a/1',
    gaps: {},
    widthPx: 1280,
    ...given,
  };
}
