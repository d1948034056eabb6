// Made-up worlds of answers, and the verdict on them in the few lines of its definition: a second way to the same z, quick
// enough for years of daily looks. main.ts compares it with the program's.
import type { Dice } from '../../src/sandbox/random.ts';

export interface World {
  readonly weeks: number;
  readonly questions: number;
  /** Mean chance that an answer names the brand. */
  readonly mean: number;
  /** Default true: how likely differs by question as the Beta distribution of four earlier answers; false: all have the mean. */
  readonly differ?: boolean;
  /** How far the chance of a question walks a week, as the standard deviation of its logit. Default 0. */
  readonly drift?: number;
  /** Default true: questions are spread over the days of the week; false: asked on its first. */
  readonly isSpread?: boolean;
  /** From this week on each question, or every third one, is named so much less that the mean of all falls to this. */
  readonly fall?: { readonly week: number; readonly to: number; readonly third: boolean };
}

export const engines = 4;

/** Outcome of a client's questions: each is asked once a week, on four engines. */
export interface Asked {
  /** By week and question. */
  readonly chances: Float64Array;
  /** By week, question and engine: 1 where the answer names the brand. */
  readonly named: Uint8Array;
}

export function ask(world: World, dice: Dice): Asked {
  const { weeks, questions, mean, differ = true, drift = 0, fall } = world;
  const falling = fall?.third === true ? Math.ceil(questions / 3) / questions : 1;
  const left = 1 - (mean - (fall?.to ?? mean)) / mean / falling;
  const chances = new Float64Array(weeks * questions);
  const named = new Uint8Array(weeks * questions * engines);
  for (let question = 0; question < questions; question += 1) {
    const first = differ ? beta(4 * mean, 4 * (1 - mean), dice) : mean;
    let logit = Math.log(Math.max(first, 1e-9) / Math.max(1 - first, 1e-9));
    for (let week = 0; week < weeks; week += 1) {
      if (drift > 0) logit += drift * normal(dice);
      const hasFallen = fall !== undefined && week >= fall.week && (!fall.third || question % 3 === 0);
      const at = week * questions + question;
      const chance = (hasFallen ? left : 1) / (1 + Math.exp(-logit));
      chances[at] = chance;
      for (let engine = 0; engine < engines; engine += 1)
        named[at * engines + engine] = dice.chance(chance) ? 1 : 0;
    }
  }
  return { chances, named };
}

/** Jöhnk: of two powers of even numbers that add up to less than 1. */
function beta(a: number, b: number, dice: Dice): number {
  for (;;) {
    const x = dice.fraction() ** (1 / a);
    const y = dice.fraction() ** (1 / b);
    if (x + y > 0 && x + y <= 1) return x / (x + y);
  }
}

function normal(dice: Dice): number {
  return Math.sqrt(-2 * Math.log(1 - dice.fraction())) * Math.cos(2 * Math.PI * dice.fraction());
}

/** The day of the week on which a question is asked. */
export function weekdayOf({ isSpread = true }: World, question: number): number {
  return isSpread ? question % 7 : 0;
}

/** At the end of a day, which has 56 days of answers before it. */
export function zOf(world: World, { named }: Asked, day: number): number {
  const { questions, isSpread = true } = world;
  const newest = isSpread ? day : day - (day % 7);
  let difference = 0;
  let variance = 0;
  for (let question = 0; question < questions; question += 1) {
    // The newest of the four weeks of each period.
    const last = Math.floor((newest - weekdayOf(world, question)) / 7);
    for (let engine = 0; engine < engines; engine += 1) {
      let now = 0;
      let before = 0;
      for (let back = 0; back < 4; back += 1) {
        now += named[((last - back) * questions + question) * engines + engine] ?? 0;
        before += named[((last - 4 - back) * questions + question) * engines + engine] ?? 0;
      }
      const share = (now + before) / 8;
      difference += now / 4 - before / 4;
      variance += share * (1 - share) * (8 / 7) * (1 / 4 + 1 / 4);
    }
  }
  return variance > 0 ? difference / Math.sqrt(variance) : 0;
}
