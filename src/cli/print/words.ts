// Words that several commands use.
import { count, moment, plural } from '../../core/text.ts';
import { fold } from './text.ts';

/** Lines of a text behind a lead; all but the first are indented as far. */
export const wrap = (text: string, width: number, lead = '') =>
  fold(`${lead}${text}`, width, lead.trimStart().length);

/** A run of another process. */
interface RunInWords {
  readonly job: string;
  readonly started_at: Date;
  readonly slices: number;
  readonly ended: number;
  readonly requests: number;
}

/** `a run of daily-snapshot, since 2026-11-22 17:31 UTC, 17 of 55 slices, 318 requests`. */
export function runText({ job, started_at: begun, slices, ended, requests }: RunInWords): string {
  return (
    `a run of ${job}, since ${moment(begun)}, ${count(ended)} of ${plural(slices, 'slice')}, ` +
    plural(requests, 'request')
  );
}

/** `2 migrations to apply (first: 000002_x)`, `1 function to install (code/sync/learn_fields.sql)`. @param pending at least one */
export function pendingText(pending: readonly string[]): string {
  const [first = ''] = pending;
  const what = first.startsWith('code/')
    ? `${plural(pending.length, 'function')} to install`
    : `${plural(pending.length, 'migration')} to apply`;
  return `${what} (${pending.length === 1 ? '' : 'first: '}${first})`;
}
