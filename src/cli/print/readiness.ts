// The line that says which views have data, and why columns of a view show nothing.
import { plural } from '../../core/text.ts';
import type { Readiness, WhyLacking } from '../../status/view-readiness.ts';

export const reasons: Readonly<Record<WhyLacking, string>> = {
  not_found: 'not found in the data',
  absent: 'nothing in the data looks like it',
  never_synced: 'never synced',
  waiting: 'not published yet',
  failed: 'failed',
  unavailable: 'no data on this account',
  no_records: 'no records so far',
};

/** `77 of 81 views have data; 5 views have columns whose field is not found: airank map`. */
export function readinessLine({ count, with_rows: withRows, lacking }: Readiness): string {
  const open = lacking.filter(({ lacks }) => lacks.some(({ why }) => why === 'not_found')).length;
  const whose = open === 1 ? 'has columns' : 'have columns';
  const note = open === 0 ? '' : `; ${plural(open, 'view')} ${whose} whose field is not found: airank map`;
  return `${withRows} of ${count} views have data${note}`;
}
