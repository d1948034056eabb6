// The AI Rank fell or rose: one rule in two directions, of which only one holds at a time.
import * as z from 'zod';
import { backWithin, type FactRow, type Judgement, type Rule } from '../judging/rule.ts';
import { figure, type Language, words } from '../judging/words.ts';

/** A row of sql/alerts/rank.sql: the newest comparable point of a client, and those it is compared with. */
const rankRow = z.object({
  client_id: z.string(),
  method: z.string(),
  date: z.string(),
  score: z.number(),
  score_7d: z.number().nullable(),
  score_28d: z.number().nullable(),
  usual_change: z.number().nullable(),
  direction: z.enum(['rose', 'fell', 'usual']).nullable(),
});

type RankRow = z.infer<typeof rankRow>;

const readRankRow = (row: FactRow): RankRow => rankRow.parse(row);

const rankSources = ['rank_now', 'rank_history', 'visibility_now', 'visibility_history'] as const;
const scoreFields = [
  ...rankSources.map((source) => `${source}.score`),
  'visibility_now.v1_score',
  'visibility_now.v2_score',
];
/** Other fields that decide which points there are. */
const pointFields = rankSources.flatMap((source) =>
  ['date', 'measured_at', 'method', 'comparable'].map((field) => `${source}.${field}`),
);

interface Move {
  readonly days: 7 | 28;
  readonly from: number;
  /** Points, below 0: it fell. */
  readonly points: number;
}

/** Rounded, because 62.4 - 57.4 is not 5. */
const difference = (after: number, before: number) => Math.round((after - before) * 1e6) / 1e6;

/** The moves to the newest point, of same method and comparable points only. */
function movesOf(row: RankRow): readonly Move[] {
  const windows = [
    { days: 7, from: row.score_7d },
    { days: 28, from: row.score_28d },
  ] as const;
  return windows.flatMap(({ days, from }) =>
    from === null ? [] : [{ days, from, points: difference(row.score, from) }],
  );
}

type RankRuleName = 'rank_fell' | 'rank_rose';

/** Picks the move to report: the clear one, or the largest that reaches the threshold. */
function spokenMove(
  { direction }: RankRow,
  moves: readonly Move[],
  sign: -1 | 1,
  threshold: number | undefined,
): Move | undefined {
  if (threshold === undefined) {
    return direction === (sign < 0 ? 'fell' : 'rose') ? moves.find(({ days }) => days === 28) : undefined;
  }
  const [largest] = inOrder(moves, sign);
  return largest !== undefined && sign * largest.points >= threshold ? largest : undefined;
}

const inOrder = (moves: readonly Move[], sign: -1 | 1) =>
  [...moves].sort((a, b) => sign * (b.points - a.points));

/** @param sign -1: it fell, 1: it rose */
function rankRule(name: RankRuleName, sign: -1 | 1): Rule {
  /** Distance along the rule's direction; below 0: against it. */
  const moved = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? 0 : sign * difference(to, from);
  return {
    name,
    severity: sign < 0 ? 'warning' : 'good',
    statement: 'rank',
    streams: ['airank', 'airank_history', 'visibility', 'visibility_history', 'rank2'],
    needs: [scoreFields],
    alsoReads: [...pointFields, ...['score', 'lower', 'upper'].map((field) => `rank2.${field}`)],
    endsWhenGone: false,
    opposite: sign < 0 ? 'rank_rose' : 'rank_fell',
    judge: (rows, { threshold, opposite, language }) =>
      rows.map(readRankRow).map((row): Judgement => {
        const moves = movesOf(row);
        const own = spokenMove(row, moves, sign, threshold);
        const other = opposite && spokenMove(row, moves, sign < 0 ? 1 : -1, opposite.threshold);
        const isOpposed = other !== undefined && !(own !== undefined && isLarger(own, other));
        const title = own === undefined ? '' : titleOf(name, row, own, { moves, threshold, language, sign });
        return {
          clientId: row.client_id,
          subject: row.method,
          date: row.date,
          holds: own !== undefined && !isOpposed,
          isOpposed,
          lasts: true,
          clearFrom: threshold === undefined ? (row.usual_change ?? undefined) : undefined,
          before: (own ?? inOrder(moves, sign)[0])?.from,
          after: row.score,
          unit: 'points',
          title,
          detail: undefined,
        };
      }),
    // A new level that lasts is no recovery.
    isBack: (alert, now) => moved(alert.before, now.after) < backWithin * (alert.threshold ?? 0),
    isWorse: (alert, now) => now.holds && moved(alert.after, now.after) >= (alert.threshold ?? 0),
  };
}

/** Compares two moves; of two as large, the longer one counts as larger. */
function isLarger(one: Move, other: Move): boolean {
  const more = Math.abs(one.points) - Math.abs(other.points);
  return more > 0 || (more === 0 && one.days > other.days);
}

interface Spoken {
  readonly moves: readonly Move[];
  readonly sign: -1 | 1;
  readonly threshold: number | undefined;
  readonly language: Language;
}

/** Says what moved, and by which measure: the clear change, or the threshold that somebody set. */
function titleOf(
  name: RankRuleName,
  row: RankRow,
  own: Move,
  { moves, sign, threshold, language }: Spoken,
): string {
  const said = words[language];
  const [from, to] = [figure(own.from, language), figure(row.score, language)];
  if (threshold === undefined) {
    const by = said.by_clear(figure(row.usual_change ?? 0, language));
    return said[name](from, to, own.days, by, row.method);
  }
  const title = said[name](from, to, own.days, said.by_threshold(figure(threshold, language)), row.method);
  // The move over the other window, where it goes the other way.
  const against = moves.find((one) => one !== own && -sign * one.points >= 0.05);
  if (against === undefined) return title;
  const far = figure(Math.abs(against.points), language);
  return title + said.rank_also(far, against.points > 0, against.days);
}

export const rankFell = rankRule('rank_fell', -1);
export const rankRose = rankRule('rank_rose', 1);
