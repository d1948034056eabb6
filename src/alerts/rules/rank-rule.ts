// The AI Rank fell or rose: one rule in two directions.
import { backWithin, type Judgement, type Rule } from '../judging/rule.ts';
import { figure, type Language, words } from '../judging/words.ts';
import {
  difference,
  type Move,
  movesOf,
  pointFields,
  type RankRow,
  rankStreams,
  readRankRow,
  scoreFields,
} from './rank-row.ts';

type RankRuleName = 'rank_fell' | 'rank_rose';

/** @param sign -1: it fell, 1: it rose */
export function rankRule(name: RankRuleName, sign: -1 | 1): Rule {
  /** How far along the rule's direction; below 0: against it. */
  const moved = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? 0 : sign * difference(to, from);
  return {
    name,
    severity: sign < 0 ? 'warning' : 'good',
    statement: 'rank',
    streams: rankStreams,
    needs: [scoreFields],
    alsoReads: pointFields,
    endsWhenGone: false,
    judge: (rows, { threshold = 0, language }) =>
      rows.map(readRankRow).map((row): Judgement => {
        const moves = movesOf(row);
        const [largest] = [...moves].sort((a, b) => sign * (b.points - a.points));
        return {
          clientId: row.client_id,
          subject: row.method,
          date: row.date,
          holds: largest !== undefined && sign * largest.points >= threshold,
          lasts: true,
          before: largest?.from,
          after: row.score,
          unit: 'points',
          title: titleOf(name, row, largest, language),
          detail: undefined,
          why: whyOf(row, moves, threshold),
        };
      }),
    // A new level that lasts is no recovery.
    isBack: (alert, now) => moved(alert.before, now.after) < backWithin * (alert.threshold ?? 0),
    isWorse: (alert, now) => now.holds && moved(alert.after, now.after) >= (alert.threshold ?? 0),
  };
}

function titleOf(name: RankRuleName, row: RankRow, move: Move | undefined, language: Language): string {
  if (move === undefined) return '';
  const [from, to] = [figure(move.from, language), figure(row.score, language)];
  return words[language][name](from, to, move.days, row.method);
}

function whyOf(row: RankRow, moves: readonly Move[], threshold: number): string {
  const now = `${row.score} on ${row.date}, method ${row.method}`;
  if (moves.length === 0) return `${now}; no comparable point is 7 to 13 or 28 to 41 days older`;
  const compared = moves.map(
    ({ days, from, date, points }) =>
      `${points > 0 ? '+' : ''}${points} in ${days} days (${from} on ${date})`,
  );
  return `${now}: ${compared.join(', ')}; it speaks from ${threshold} on`;
}
