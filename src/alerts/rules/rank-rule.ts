// The AI Rank fell or rose: one rule in two directions, of which one at a time is so.
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
    opposite: sign < 0 ? 'rank_rose' : 'rank_fell',
    judge: (rows, { threshold = 0, oppositeThreshold, language }) =>
      rows.map(readRankRow).map((row): Judgement => {
        const moves = movesOf(row);
        const [own] = [...moves].sort((a, b) => sign * (b.points - a.points));
        const [other] = [...moves].sort((a, b) => sign * (a.points - b.points));
        const reaches = own !== undefined && sign * own.points >= threshold;
        const isOpposed =
          other !== undefined &&
          oppositeThreshold !== undefined &&
          -sign * other.points >= oppositeThreshold &&
          !(reaches && isLarger(own, other));
        return {
          clientId: row.client_id,
          subject: row.method,
          date: row.date,
          holds: reaches && !isOpposed,
          isOpposed,
          lasts: true,
          before: own?.from,
          after: row.score,
          unit: 'points',
          title: titleOf(name, row, own, language) + (reaches ? alsoOf(moves, own, sign, language) : ''),
          detail: undefined,
          why: whyOf(row, moves, threshold) + (reaches && isOpposed ? `, and ${otherWins}` : ''),
        };
      }),
    // A new level that lasts is no recovery.
    isBack: (alert, now) => moved(alert.before, now.after) < backWithin * (alert.threshold ?? 0),
    isWorse: (alert, now) => now.holds && moved(alert.after, now.after) >= (alert.threshold ?? 0),
  };
}

const otherWins = 'the larger move, the other way, is told instead';

/** Of two that are as large the longer one. */
function isLarger(one: Move, other: Move): boolean {
  const more = Math.abs(one.points) - Math.abs(other.points);
  return more > 0 || (more === 0 && one.days > other.days);
}

function titleOf(name: RankRuleName, row: RankRow, move: Move | undefined, language: Language): string {
  if (move === undefined) return '';
  const [from, to] = [figure(move.from, language), figure(row.score, language)];
  return words[language][name](from, to, move.days, row.method);
}

/** The move over the other window, where it goes the other way. */
function alsoOf(moves: readonly Move[], own: Move, sign: -1 | 1, language: Language): string {
  const against = moves.find((one) => one !== own && -sign * one.points >= 0.05);
  if (against === undefined) return '';
  const said = figure(Math.abs(against.points), language);
  return words[language].rank_also(said, against.points > 0, against.days);
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
