// What a sentence is told for and a picture is drawn for in tests: English, light and wide, unless a test says otherwise.
import type { Chart, Gaps, Telling } from '../../src/reporting/dashboard/charts/chart.ts';
import type { DrawContext } from '../../src/reporting/dashboard/charts/draw-trend.ts';
import { lightPalette } from '../../src/reporting/dashboard/charts/palette.ts';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';

const period = { from: '2026-03-01', to: '2026-04-30' };

export function telling(given: Partial<Telling> = {}): Telling {
  return { language: 'en', period, gaps: {}, ...given };
}

export function drawContext(given: Partial<DrawContext> = {}): DrawContext {
  return { language: 'en', palette: lightPalette, period, markers: [], label: '', widthPx: 1280, ...given };
}

/** Rows by the names of their columns; what is not named is NULL. */
export function fields(rows: readonly Readonly<Record<string, string | null>>[]) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fieldsOf(
    names,
    rows.map((row) => names.map((name) => row[name] ?? null)),
  );
}

export function told(
  chart: Chart,
  rows: readonly Readonly<Record<string, string | null>>[],
  given: { readonly language?: 'en' | 'es'; readonly gaps?: Gaps } = {},
): string {
  return chart.title(fields(rows), telling(given));
}
