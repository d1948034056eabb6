// Figures that move every day: slow random walks by brand, smooth enough for a trend line, some up, some
// down. A brand's answers and its AI Rank follow one rate.
import { hashOf, mix } from '../random.ts';
import type { Brand, Scope } from './scope.ts';

export type Method = 'v1' | 'v2';

export const dimensions = ['presencia', 'posicion', 'sentimiento', 'autoridad', 'cobertura'] as const;
type Dimension = (typeof dimensions)[number];

/** The day from which method v2 is measured; v1 goes on for `overlapDays`. */
export function methodChange(scope: Scope): number {
  return scope.since + 45;
}

const overlapDays = 30;

/** Methods measured on a day, the official one first. */
export function methodsOn(scope: Scope, day: number): readonly Method[] {
  const change = methodChange(scope);
  if (day < change) return ['v1'];
  return day < change + overlapDays ? ['v2', 'v1'] : ['v2'];
}

/** A smooth walk through -1 … 1 whose bends are `periodDays` apart. */
export function walk(identity: number, periodDays: number, day: number): number {
  const step = Math.floor(day / periodDays);
  const share = day / periodDays - step;
  const eased = share * share * (3 - 2 * share);
  return point(identity, step) * (1 - eased) + point(identity, step + 1) * eased;
}

function point(identity: number, step: number): number {
  return (mix(identity, step) / 2 ** 32) * 2 - 1;
}

/** Clients with many questions: one whose true mention rate never moves, and one whose falls from the first answers on. */
export const steadyClient = 1;
export const fallingClient = 2;
const fallADay = 0.008;

/** How likely an answer names the brand, 0 … 1; slow. The AI Rank follows it. */
export function mentionRate(scope: Scope, brand: Brand, day: number): number {
  if (brand.index === fallingClient) return clamp(0.72 - fallADay * Math.max(0, day - scope.asked), 0.08, 1);
  const identity = hashOf(scope.seed, 'rate', brand.index);
  const home = 0.26 + (identity % 400) / 1000;
  if (brand.index === steadyClient) return home;
  const restless = 0.6 + (mix(identity, 7) % 100) / 110;
  const moved = 0.14 * walk(mix(identity, 1), 48, day) + 0.04 * walk(mix(identity, 2), 13, day);
  return clamp(home + moved * restless, 0.04, 0.96);
}

/** AI Rank of a brand on a day, 0 … 100, in the method's own terms: v1 and v2 are different scales. */
export function rankScore(scope: Scope, brand: Brand, method: Method, day: number): number {
  const noise = 0.9 * walk(hashOf(scope.seed, 'noise', brand.index), 2, day);
  const score = 12 + 80 * mentionRate(scope, brand, day) + noise;
  return clamp(method === 'v2' ? score : score * 0.9 + 7.5, 3, 98.5);
}

/** 1 is best, among the brands of its sector. */
export function rankPosition(scope: Scope, brand: Brand, day: number): number {
  return 1 + Math.floor((100 - rankScore(scope, brand, 'v2', day)) / 9);
}

/** One dimension of the AI Rank, around the score. */
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

/** Why a day's measurement cannot be compared; empty when it can. */
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
