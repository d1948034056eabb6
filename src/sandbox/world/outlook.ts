// Answers with figures derived from the AI Rank: rank2 with its interval, and the prediction.
import { decimal, type JsonObject, raw } from '../json-literal.ts';
import { Dice, hashOf } from '../random.ts';
import { type Route, single } from '../route.ts';
import { clamp, rankPosition, rankScore, walk } from './figures.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

/** `rank2`: the index with its interval; long decimals. */
function rank2(scope: Scope): JsonObject {
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
function prediction(scope: Scope): JsonObject {
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

/** Answers a question, and says what the answer is based on. */
function answerQuestion(scope: Scope, question: string): JsonObject {
  const { brand, today } = scope;
  const now = rankScore(scope, brand, 'v2', today);
  const before = rankScore(scope, brand, 'v2', today - 28);
  const direction = now >= before ? 'sube' : 'baja';
  return {
    pregunta: question,
    respuesta: `El AI Rank de ${brand.name} es ${now.toFixed(1)} y ${direction} ${Math.abs(now - before).toFixed(1)} puntos en 28 días. 📈`,
    basadoEn: [
      { ruta: 'airank', fecha: dateOf(today) },
      { ruta: 'visibility/history', desde: dateOf(today - 28), hasta: dateOf(today) },
    ],
    fecha: dateOf(today),
  };
}

export const routes: readonly Route[] = [
  single('rank2', rank2, true),
  single('prediccion', prediction),
  { kind: 'question', route: 'ask', perClient: false, answer: answerQuestion },
];
