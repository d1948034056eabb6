// The three gains and the three losses of a period: what moved most, in points of 100.
import { type Change, competitorName, type Figures } from './figures.ts';

export interface Move extends Change {
  /** Points; a competitor that is named more often is a loss. */
  readonly gain: number;
}

const shown = 3;
const mostOfAKind = 2;
/** Smaller moves are noise, or would be written as 0. */
const leastPoints = 0.5;

export function gainsAndLosses(figures: Figures): {
  readonly gains: readonly Move[];
  readonly losses: readonly Move[];
  /** Figures that were measured on both dates. */
  readonly compared: number;
} {
  const competitors = figures.competitors.flatMap((one): Change[] => {
    const { now, before } = one;
    return before === undefined ? [] : [{ kind: 'competitor', name: competitorName(one), now, before }];
  });
  const all = [...figures.dimensions, ...figures.questions, ...competitors];
  const moves = all
    .map((change): Move => {
      const points = Number((change.now.value - change.before.value).toFixed(6));
      return { ...change, gain: change.kind === 'competitor' ? -points : points };
    })
    .filter(({ gain }) => Math.abs(gain) >= leastPoints)
    .sort(
      (a, b) => Math.abs(b.gain) - Math.abs(a.gain) || compare(a.kind, b.kind) || compare(a.name, b.name),
    );
  return {
    gains: firstOf(moves.filter(({ gain }) => gain > 0)),
    losses: firstOf(moves.filter(({ gain }) => gain < 0)),
    compared: all.length,
  };
}

/** At most two of a kind, as long as another kind moved too. */
function firstOf(moves: readonly Move[]): readonly Move[] {
  const varied = moves.filter(
    (move, place) => moves.slice(0, place).filter(({ kind }) => kind === move.kind).length < mostOfAKind,
  );
  const chosen = [...new Set([...varied, ...moves])].slice(0, shown);
  return moves.filter((move) => chosen.includes(move));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
