// A period in words: `October 2026`, `16 Nov 2026 to 22 Nov 2026`.
import type { Language } from '../dashboard/charts/chart.ts';
import { formatDate } from '../dashboard/charts/format.ts';
import type { ReportPeriod } from './period.ts';
import { reportWords } from './words.ts';

export function periodText({ kind, from, to, isSoFar }: ReportPeriod, language: Language): string {
  const words = reportWords[language];
  const [first, last] = [from, to].map((date) => formatDate(date, language));
  if (kind === 'week') return words.week(first ?? from, last ?? to);
  const month = words.month(new Date(`${from}T00:00:00Z`));
  return isSoFar ? `${month}, ${words.soFar(last ?? to)}` : month;
}
