// `ask`: an answer in words, only from the account's own figures.
import type { JsonObject } from '../json-literal.ts';
import { rankScore } from './figures.ts';
import { dateOf, type Scope } from './scope.ts';

/** The answer to a question, with what it is based on. */
export function answerQuestion(scope: Scope, question: string): JsonObject {
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
