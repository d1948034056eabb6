// Figures derived from the AI Rank: rank2 with its interval, and the prediction.
import { decimal, type JsonObject, raw } from '../json-literal.ts';
import { Dice, hashOf } from '../random.ts';
import { clamp, rankPosition, rankScore, walk } from './figures.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

/** `rank2`: the index with its interval; long decimals. */
export function rank2(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const score = rankScore(scope, brand, 'v2', today);
  const dice = new Dice(scope.seed, 'rank2', brand.index, today);
  return {
    cliente: clientOf(brand),
    empresa: brand.name,
    fecha: dateOf(today),
    puntuacion: decimal(score, 1),
    indice: raw(
      `${(score / 100).toFixed(4)}${String(dice.next()).padStart(10, '0')}${dice.int(10000, 99999)}`,
    ),
    intervalo: {
      inferior: decimal(clamp(score - 3.2, 0, 100), 1),
      superior: decimal(clamp(score + 3.2, 0, 100), 1),
    },
    posicion: rankPosition(scope, brand, today),
  };
}

/** `prediccion`: four weeks ahead, for the account. */
export function prediction(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const score = rankScore(scope, brand, 'v2', today);
  const slope = (score - rankScore(scope, brand, 'v2', today - 14)) / 14;
  const points = [7, 14, 21, 28].map((days) => {
    const expected = clamp(score + slope * days * 0.5, 0, 100);
    return {
      fecha: dateOf(today + days),
      puntuacion: decimal(expected, 1),
      inferior: decimal(clamp(expected - 1.1 * Math.sqrt(days), 0, 100), 1),
      superior: decimal(clamp(expected + 1.1 * Math.sqrt(days), 0, 100), 1),
    };
  });
  return {
    empresa: brand.name,
    fecha: dateOf(today),
    metodo: 'v2',
    horizonteDias: 28,
    tendencia: slope > 0.05 ? 'sube' : slope < -0.05 ? 'baja' : 'estable',
    confianza: decimal(0.62 + 0.2 * walk(hashOf(scope.seed, 'confianza'), 21, today), 2),
    puntos: points,
    aviso: 'Estimación a partir de las mediciones comparables; no es una promesa.',
  };
}
