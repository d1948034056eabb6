// Figures that move every day: slow random walks by brand, smooth enough for a trend line, some up, some down. A
// brand's answers and its AI Rank follow the same rate.
import { hashOf, mix } from '../random.ts';
import type { Brand, Scope } from './scope.ts';

export type Method = 'v1' | 'v2';

export const dimensions = ['presencia', 'posicion', 'sentimiento', 'autoridad', 'cobertura'] as const;
type Dimension = (typeof dimensions)[number];

/** Returns the first day of method v2; v1 goes on for `overlapDays`. */
export function methodChange(scope: Scope): number {
  return scope.since + 45;
}

const overlapDays = 30;

/** Returns the methods measured on a day, the official one first. */
export function methodsOn(scope: Scope, day: number): readonly Method[] {
  const change = methodChange(scope);
  if (day < change) return ['v1'];
  return day < change + overlapDays ? ['v2', 'v1'] : ['v2'];
}

/** Walks smoothly through -1 … 1, with bends `periodDays` apart. */
export function walk(identity: number, periodDays: number, day: number): number {
  const step = Math.floor(day / periodDays);
  const share = day / periodDays - step;
  const eased = share * share * (3 - 2 * share);
  return point(identity, step) * (1 - eased) + point(identity, step + 1) * eased;
}

function point(identity: number, step: number): number {
  return (mix(identity, step) / 2 ** 32) * 2 - 1;
}

/**
 * Two clients with many questions: this one's true mention rate never moves, the next one's falls from the first
 * answers on.
 */
export const steadyClient = 1;
export const fallingClient = 2;
const fallADay = 0.008;

/** Returns the probability that an answer names the brand, 0 … 1. It moves slowly, and the AI Rank follows it. */
export function mentionRate(scope: Scope, brand: Brand, day: number): number {
  if (brand.index === fallingClient) return clamp(0.72 - fallADay * Math.max(0, day - scope.asked), 0.08, 1);
  const identity = hashOf(scope.seed, 'rate', brand.index);
  const home = 0.26 + (identity % 400) / 1000;
  if (brand.index === steadyClient) return home;
  const restless = 0.6 + (mix(identity, 7) % 100) / 110;
  const moved = 0.14 * walk(mix(identity, 1), 48, day) + 0.04 * walk(mix(identity, 2), 13, day);
  return clamp(home + moved * restless, 0.04, 0.96);
}

/** Returns a brand's AI Rank on a day, 0 … 100, on the method's scale: v1 and v2 differ. */
export function rankScore(scope: Scope, brand: Brand, method: Method, day: number): number {
  const noise = 0.9 * walk(hashOf(scope.seed, 'noise', brand.index), 2, day);
  const score = 12 + 80 * mentionRate(scope, brand, day) + noise;
  return clamp(method === 'v2' ? score : score * 0.9 + 7.5, 3, 98.5);
}

/** 1 is the best of the brands in its sector. */
export function rankPosition(scope: Scope, brand: Brand, day: number): number {
  return 1 + Math.floor((100 - rankScore(scope, brand, 'v2', day)) / 9);
}

/** Returns one dimension of the AI Rank, around the score. */
export function dimensionScore(
  scope: Scope,
  brand: Brand,
  method: Method,
  name: Dimension,
  day: number,
): number {
  const identity = hashOf(scope.seed, 'dimension', brand.index, name);
  const offset = ((identity % 260) - 130) / 10;
  return clamp(rankScore(scope, brand, method, day) + offset + 4 * walk(identity, 17, day), 0, 100);
}

/** Returns the reasons why a day's measurement cannot be compared; empty if it can. */
export function reasonsAgainst(scope: Scope, brand: Brand, day: number): readonly string[] {
  const draw = hashOf(scope.seed, 'comparable', brand.index, day) % 1000;
  if (draw < 14) return ['panel_modificado'];
  if (draw < 28) return ['motor_no_disponible: gemini'];
  if (draw < 36) return ['muestra_incompleta', 'motor_no_disponible: perplexity'];
  return [];
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
