// As many deaths as asked for, in histories of a few each, so that a history is short enough to be understood.
import type { Copies } from '../../torture/copies.ts';
import { simulate } from './simulate.ts';

const killsOfOne = 25;

interface ManyDeaths {
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly steps: number;
  readonly histories: number;
}

export async function simulateDeaths(
  copies: Copies,
  options: { readonly seed: number; readonly kills: number },
  progress: (line: string) => void,
): Promise<ManyDeaths> {
  const wrong: string[] = [];
  let kills = 0;
  let steps = 0;
  let histories = 0;
  while (kills < options.kills) {
    const seed = options.seed + histories;
    const copy = await copies.clone(copies.empty);
    await copy.rest();
    const asked = Math.min(killsOfOne, options.kills - kills);
    const one = await simulate(copy.url, { seed, kills: asked });
    await copy.drop();
    wrong.push(...one.wrong.map((what) => `seed ${seed}: ${what}`));
    kills += asked;
    steps += one.steps;
    histories += 1;
    progress(`simulated ${kills} of ${options.kills} deaths, ${steps} steps, ${wrong.length} wrong`);
  }
  return { wrong, kills, steps, histories };
}
