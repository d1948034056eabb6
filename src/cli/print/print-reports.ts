// What became of reports, for people.
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import { countOf } from '../../reporting/report/produce-all.ts';
import type { Outcome } from '../../reporting/report/produce-report.ts';

/** Why there is no report, or what is not fine of one that is there; undefined: nothing. */
export function problemOf(
  { client, state, detail, unsentTo }: Outcome,
  { from, to }: Period,
): string | undefined {
  const whose = `The report of ${client.key} from ${from} to ${to}`;
  if (state === 'empty') {
    return `${whose} would be empty: nothing was measured. Give --date or --period of a time with data`;
  }
  if (state === 'withheld') {
    return `${whose} is withheld: ${detail}. Run airank sync, or make it with --anyway, which says so on the page`;
  }
  if (state === 'left') {
    return `${whose} is not made: the client ${detail}. --anyway makes it and says so on the page`;
  }
  if (state === 'failed') return `${whose} failed: ${detail}`;
  if (unsentTo.length === 0) return undefined;
  return `${whose} is written, but not mailed to ${unsentTo.join(', ')}: ${detail}. The same command tries them again`;
}

/** `3/40 agency/c7: written`. */
export function outcomeLine(
  outcome: Outcome,
  period: Period,
  { done, of }: { readonly done: number; readonly of: number },
): string {
  const place = `${String(done).padStart(String(of).length)}/${of}`;
  const problem = problemOf(outcome, period);
  if (problem !== undefined) return `${place} ${problem}`;
  const { client, state, mailedTo } = outcome;
  const sent = mailedTo.length === 0 ? '' : `, sent to ${mailedTo.join(', ')}`;
  return `${place} ${client.key}: ${state === 'there' ? 'there already' : `written${sent}`}`;
}

export function totalLine(outcomes: readonly Outcome[], folder: string): string {
  const unsent = outcomes.filter(({ unsentTo }) => unsentTo.length > 0).length;
  const parts = [
    `${countOf(outcomes, 'written')} written`,
    ...(countOf(outcomes, 'there') > 0 ? [`${countOf(outcomes, 'there')} there already`] : []),
    ...(countOf(outcomes, 'empty') > 0 ? [`${countOf(outcomes, 'empty')} without data`] : []),
    ...(countOf(outcomes, 'withheld') > 0 ? [`${countOf(outcomes, 'withheld')} withheld`] : []),
    ...(countOf(outcomes, 'left') > 0 ? [`${countOf(outcomes, 'left')} of clients that left`] : []),
    ...(countOf(outcomes, 'failed') > 0 ? [`${countOf(outcomes, 'failed')} failed`] : []),
    ...(unsent > 0 ? [`${unsent} not mailed`] : []),
  ];
  return `${folder}: ${parts.join(', ')}`;
}
