// What `airank status` says of the scheduler: whether one works, what waits, what people were told.

import { moment, stamp } from '../../core/moment.ts';
import type { ScheduleReport } from '../../jobs/schedule/read-schedule.ts';
import { table } from './table.ts';
import { wrap } from './wrap.ts';

const mostNotices = 5;

/** Empty if there never was a scheduler. */
export function scheduleLines(
  report: ScheduleReport,
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const { working, used, waiting, notices, tells } = report;
  if (!used && !working) return [];
  const due = waiting.map(({ job, since }) => `${job} since ${moment(since)}`).join(', ');
  const now = waiting.length === 0 ? 'nothing waits' : `due: ${due}`;
  const lines = wrap(`Scheduler: ${working ? 'works' : 'none works'}; ${now}`, options.width);
  const shown = options.all ? notices : notices.slice(0, mostNotices);
  if (shown.length > 0) {
    const rows = shown.map(({ cause, since, over_at, told_at }) => [
      cause,
      stamp(since),
      over_at === null ? '' : stamp(over_at),
      told_at === null ? (tells ? 'not yet' : 'nobody: no webhook is set') : stamp(told_at),
    ]);
    const head = ['notice', 'since, UTC', 'over', 'told, UTC'];
    const { width } = options;
    lines.push(...table([head, ...rows], { width, indent: '  ', wraps: ['told, UTC'], yields: ['over'] }));
  }
  const hidden = notices.length - shown.length;
  return [...lines, ...(hidden > 0 ? [`  … and ${hidden} more (--all)`] : []), ''];
}
