// What became of the lines of a range, as sync.write has it.

/** Lines by what became of them; `read` is the sum of the others to `blank`. */
export interface RangeCounts {
  readonly read: number;
  readonly sent: number;
  readonly unreadable: number;
  readonly too_old: number;
  readonly not_bots: number;
  readonly blank: number;
  readonly by_bot: Readonly<Record<string, number>>;
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_day: Readonly<Record<string, number>>;
}

/** Visits of a bot that have host, day and status in common. */
export interface VisitTally {
  /** '' where the line names none. */
  readonly host: string;
  readonly bot: string;
  /** In UTC, as 2026-04-03. */
  readonly day: string;
  readonly status: number;
  readonly visits: number;
}

export const noCounts: RangeCounts = {
  read: 0,
  sent: 0,
  unreadable: 0,
  too_old: 0,
  not_bots: 0,
  blank: 0,
  by_bot: {},
  by_status: {},
  by_day: {},
};

export function addCounts(a: RangeCounts, b: RangeCounts): RangeCounts {
  return {
    read: a.read + b.read,
    sent: a.sent + b.sent,
    unreadable: a.unreadable + b.unreadable,
    too_old: a.too_old + b.too_old,
    not_bots: a.not_bots + b.not_bots,
    blank: a.blank + b.blank,
    by_bot: addTallies(a.by_bot, b.by_bot),
    by_status: addTallies(a.by_status, b.by_status),
    by_day: addTallies(a.by_day, b.by_day),
  };
}

function addTallies(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
