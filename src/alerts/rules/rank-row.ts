// A row of sql/alerts/rank.sql: the newest comparable point of a client, and those it is compared with.
import { z } from 'zod';
import type { FactRow } from '../judging/rule.ts';

const rankRow = z.object({
  client_id: z.string(),
  method: z.string(),
  date: z.string(),
  score: z.number(),
  date_7d: z.string().nullable(),
  score_7d: z.number().nullable(),
  date_28d: z.string().nullable(),
  score_28d: z.number().nullable(),
});

export type RankRow = z.infer<typeof rankRow>;

export const readRankRow = (row: FactRow): RankRow => rankRow.parse(row);

export const rankStreams = ['airank', 'airank_history', 'visibility', 'visibility_history'] as const;

const rankSources = ['rank_now', 'rank_history', 'visibility_now', 'visibility_history'] as const;
export const scoreFields = [
  ...rankSources.map((source) => `${source}.score`),
  'visibility_now.v1_score',
  'visibility_now.v2_score',
];
export const positionFields = rankSources.map((source) => `${source}.position`);
/** What else decides which points there are. */
export const pointFields = rankSources.flatMap((source) =>
  ['date', 'measured_at', 'method', 'comparable'].map((field) => `${source}.${field}`),
);

export interface Move {
  readonly days: 7 | 28;
  readonly from: number;
  readonly date: string;
  /** Points, below 0: it fell. */
  readonly points: number;
}

/** Rounded, because 62.4 - 57.4 is not 5. */
export const difference = (after: number, before: number) => Math.round((after - before) * 1e6) / 1e6;

/** The moves to the newest point, of same method and comparable points only. */
export function movesOf(row: RankRow): readonly Move[] {
  const windows = [
    { days: 7, from: row.score_7d, date: row.date_7d },
    { days: 28, from: row.score_28d, date: row.date_28d },
  ] as const;
  return windows.flatMap(({ days, from, date }) =>
    from === null || date === null ? [] : [{ days, from, date, points: difference(row.score, from) }],
  );
}
