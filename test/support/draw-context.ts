// Makes the context of sentences and pictures in tests: English, unless a test says otherwise.
import type { Chart, Telling } from '../../src/reporting/dashboard/charts/chart.ts';
import type { DrawContext } from '../../src/reporting/dashboard/charts/draw-trend.ts';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';

const period = { from: '2026-03-01', to: '2026-04-30' };

export function telling(given: Partial<Telling> = {}): Telling {
  return { language: 'en', period, gaps: {}, ...given };
}

export function drawContext(given: Partial<DrawContext> = {}): DrawContext {
  return { language: 'en', period, markers: [], label: '', ...given };
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
  given: Given = {},
): string {
  return chart.title(fields(rows), telling(given));
}

/** The finding of the whole page. */
export function headlined(
  chart: Chart,
  rows: readonly Readonly<Record<string, string | null>>[],
  given: Given = {},
) {
  return chart.headline?.(fields(rows), telling(given));
}

type Given = Partial<Pick<Telling, 'language' | 'gaps' | 'beside'>>;
