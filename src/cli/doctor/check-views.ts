// Doctor on the curated views as a whole: how many are ready.
import type { ReadinessSummary } from '../../status/view-readiness.ts';
import { readinessLine } from '../print/print-readiness.ts';
import type { Check } from './check.ts';

export function checkViews(views: ReadinessSummary): Check {
  const text = readinessLine(views);
  if (views.partial === 0) return { area: 'database', level: 'fine', text };
  return { area: 'database', level: 'warning', text, fix: 'airank views says why' };
}
