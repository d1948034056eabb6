// The AI Rank of a period: its newest point, and the one of the same method that it is compared with.
import type { ReportRow, ReportScope } from '../reader/read-report.ts';

export interface RankPoint {
  readonly date: string;
  readonly method: string;
  readonly score: number;
  readonly position: number | null;
}

export interface RankFigures {
  /** By date, then method. */
  readonly points: readonly RankPoint[];
  readonly newest: RankPoint | undefined;
  /** What it is compared with, over as many days as the period has; of the same method. */
  readonly before: RankPoint | undefined;
  /** Another method that was the newest one before the period, and the first date of the method that is now. */
  readonly changedMethod: { readonly from: string; readonly since: string } | undefined;
}

export function rankFigures(rows: readonly ReportRow[], { from }: Pick<ReportScope, 'from'>): RankFigures {
  const points = rows.flatMap((row): RankPoint[] => {
    const { date, method, score, position } = row;
    const [value, place] = [Number(score ?? Number.NaN), Number(position ?? Number.NaN)];
    if (date == null || !Number.isFinite(value)) return [];
    return [{ date, method: method ?? '', score: value, position: Number.isFinite(place) ? place : null }];
  });
  const newest = points.filter(({ date }) => date >= from).at(-1);
  const same = points.filter(({ method }) => method === newest?.method);
  const earlier = points.filter(({ date }) => date < from).at(-1);
  const compared = rows.find((row) => row['is_before'] === 't' || row['is_before'] === 'true');
  const before = same.find(({ date }) => date === compared?.['date']);
  const since = same[0]?.date;
  const isOther =
    earlier !== undefined && since !== undefined && since >= from && earlier.method !== newest?.method;
  return {
    points,
    newest,
    before,
    changedMethod: isOther ? { from: earlier.method, since } : undefined,
  };
}

/** The newest point of a method on or before a date. */
export function pointUntil({ points }: RankFigures, method: string, date: string): RankPoint | undefined {
  return points.findLast((point) => point.method === method && point.date <= date);
}
