// The reasons why a report is withheld: a slice that it reads is stale, or failed.
import type { ReportRow } from '../reader/statements.ts';

/** Streams that a report's statements read; a test compares them with the views' sources. */
export const reportStreams: readonly string[] = [
  'acciones',
  'actions',
  'airank',
  'airank_history',
  'citations',
  'clientes',
  'competitors',
  'experiments',
  'mediciones',
  'rank2',
  'respuestas',
  'visibility',
  'visibility_history',
];

export interface Blocker {
  readonly stream: string;
  /** `failed`: its latest walk failed; `stale`: it does not reach the end of the period. */
  readonly why: 'failed' | 'stale';
  readonly completeUntil: string | null;
}

/**
 * A stream counts by the client's own slice if it has one, else by its account's. One never asked for, or that the
 * account does not have, has no data and withholds nothing.
 * @param to last date of the period
 */
export function findBlockers(slices: readonly ReportRow[], clientId: string, to: string): readonly Blocker[] {
  return reportStreams.flatMap((stream): Blocker[] => {
    const own = slices.filter((slice) => slice['stream'] === stream);
    const slice = own.find((one) => one['client_id'] === clientId) ?? own[0];
    if (slice === undefined || slice['status'] === 'unavailable') return [];
    const completeUntil = slice['complete_run_date'] ?? null;
    if (completeUntil !== null && completeUntil >= to) return [];
    return [{ stream, why: slice['status'] === 'failed' ? 'failed' : 'stale', completeUntil }];
  });
}

/** `prompts failed (complete until 2026-10-30), citations is stale (…)`. */
export function blockerText(blockers: readonly Blocker[]): string {
  return blockers
    .map(({ stream, why, completeUntil }) => {
      const what = why === 'failed' ? 'failed' : 'is stale';
      return `${stream} ${what} (${completeUntil === null ? 'never complete' : `complete until ${completeUntil}`})`;
    })
    .join(', ');
}
