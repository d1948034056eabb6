// Which run dates of a scope stay when it is pruned. Pure.

export type Keep = 'monthly' | 'weekly';

export interface PruneRule {
  /** Dates from here on stay. */
  readonly before: string;
  /** Of each week or month before it the last complete date stays too; undefined: none. */
  readonly keep: Keep | undefined;
}

/** The newest state, and the one that it is compared with: views of now, and of a client that left, need both. */
const newestDates = 2;

/** @param complete the scope's complete dates, the oldest first */
export function datesThatStay(complete: readonly string[], { before, keep }: PruneRule): readonly string[] {
  const newest = complete.slice(-newestDates);
  return complete.filter((date, place) => {
    if (date >= before || newest.includes(date)) return true;
    const next = complete[place + 1];
    return keep !== undefined && next !== undefined && periodOf(date, keep) !== periodOf(next, keep);
  });
}

/** The first day of the week, a Monday, or the month. */
function periodOf(date: string, keep: Keep): string {
  if (keep === 'monthly') return date.slice(0, 7);
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}
