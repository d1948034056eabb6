// The AI Rank: latest, history, visibility (v1 and v2), and the public result.
import { decimal, type JsonObject, type Records, raw } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { list, type Route, single } from '../route.ts';
import {
  clamp,
  dimensionScore,
  dimensions,
  type Method,
  mentionRate,
  methodChange,
  methodsOn,
  rankPosition,
  rankScore,
  reasonsAgainst,
} from './figures.ts';
import { answersIn, enginesAsked, questionCount, roundsOf } from './measured.ts';
import { type Brand, clientOf, dateOf, instantIn, type Scope } from './scope.ts';
import { engines } from './vocabulary.ts';

/** `airank`: the latest AI Rank of the scope's brand. */
function latestRank(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const method = at(methodsOn(scope, today), 0);
  const score = rankScore(scope, brand, method, today);
  const reasons = reasonsAgainst(scope, brand, today);
  return {
    id: rankId(scope, brand, method, today),
    cliente: clientOf(brand),
    ...business(brand),
    fecha: dateOf(today),
    medido: measuredAt(scope, brand, today),
    metodo: method,
    tipo: 'programada',
    puntuacion: decimal(score, 1),
    variacion: decimal(score - rankScore(scope, brand, method, today - 1), 2),
    comparable: reasons.length === 0,
    razones: reasons,
    dimensiones: dimensionsOf(scope, brand, method, today),
    motores: engineFigures(scope, brand),
    publico: { id: brand.publicId, url: `https://ejemplo.example/airank/${brand.publicId}` },
  };
}

/** `airank/history`: flat records, because the route is also read as CSV. One-off runs are among them. */
function rankHistory(scope: Scope): Records {
  const { brand } = scope;
  return fromNewest(scope, (day) => {
    const reasons = reasonsAgainst(scope, brand, day);
    const planned = methodsOn(scope, day).map((method) =>
      historyRecord(scope, method, day, 'programada', reasons),
    );
    if (hashOf(scope.seed, 'one-off', brand.index, day) % 19 !== 0) return planned;
    return [historyRecord(scope, 'v2', day, 'puntual', ['medicion_puntual']), ...planned];
  });
}

function historyRecord(
  scope: Scope,
  method: Method,
  day: number,
  kind: 'programada' | 'puntual',
  reasons: readonly string[],
): JsonObject {
  const { brand } = scope;
  const oneOff =
    kind === 'puntual' ? new Dice(scope.seed, 'one-off score', brand.index, day).int(-60, 60) / 10 : 0;
  return {
    id: `${rankId(scope, brand, method, day)}${kind === 'puntual' ? '-p' : ''}`,
    fecha: dateOf(day),
    medido: measuredAt(scope, brand, day),
    empresa: brand.name,
    metodo: method,
    tipo: kind,
    puntuacion: decimal(clamp(rankScore(scope, brand, method, day) + oneOff, 0, 100), 1),
    comparable: reasons.length === 0,
    razon: reasons.length === 0 ? null : reasons.join(', '),
    posicion: rankPosition(scope, brand, day),
    respuestas: questionCount(scope, brand) * enginesAsked,
    nota: day === methodChange(scope) ? 'Empieza el método v2;\nv1 sigue 30 días "en paralelo"' : null,
  };
}

/** `visibility`: the official AI Rank in both methods. */
function visibility(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const method = at(methodsOn(scope, today), 0);
  const lastV1 = Math.min(today, methodChange(scope) + 29);
  const reasons = reasonsAgainst(scope, brand, today);
  return {
    cliente: clientOf(brand),
    empresa: brand.name,
    fecha: dateOf(today),
    metodo: method,
    puntuacion: decimal(rankScore(scope, brand, method, today), 1),
    comparable: reasons.length === 0,
    razones: reasons,
    versiones: {
      v1: {
        puntuacion: decimal(rankScore(scope, brand, 'v1', lastV1), 1),
        fecha: dateOf(lastV1),
        vigente: lastV1 === today,
      },
      v2:
        method === 'v2'
          ? {
              puntuacion: decimal(rankScore(scope, brand, 'v2', today), 1),
              fecha: dateOf(today),
              vigente: true,
            }
          : null,
    },
    dimensiones: dimensions.map((name) => ({
      dimension: name,
      puntuacion: decimal(dimensionScore(scope, brand, method, name, today), 1),
      peso: raw('0.20'),
    })),
  };
}

/** `visibility/history`: one point per day and method. */
function visibilityHistory(scope: Scope): Records {
  const { brand } = scope;
  return fromNewest(scope, (day) => {
    const reasons = reasonsAgainst(scope, brand, day);
    return methodsOn(scope, day).map((method) => ({
      fecha: dateOf(day),
      metodo: method,
      puntuacion: decimal(rankScore(scope, brand, method, day), 1),
      visibilidad: decimal(mentionRate(scope, brand, day), 4),
      comparable: reasons.length === 0,
      razones: reasons,
      dimensiones: dimensionsOf(scope, brand, method, day),
    }));
  });
}

/** `airank/:id`: the public result of a brand. */
export function publicRank(scope: Scope, brand: Brand): JsonObject {
  const { today } = scope;
  const method = at(methodsOn(scope, today), 0);
  return {
    id: brand.publicId,
    ...business(brand),
    fecha: dateOf(today),
    metodo: method,
    puntuacion: decimal(rankScore(scope, brand, method, today), 1),
    comparable: reasonsAgainst(scope, brand, today).length === 0,
    dimensiones: dimensionsOf(scope, brand, method, today),
  };
}

function rankId(scope: Scope, brand: Brand, method: Method, day: number): string {
  return `ar-${dateOf(day).replaceAll('-', '')}-${method}-${new Dice(scope.seed, 'rank id', brand.index, day).token(6)}`;
}

function business(brand: Brand): JsonObject {
  return {
    empresa: brand.name,
    sector: brand.sector.name,
    ubicacion: { ciudad: brand.place.city, pais: brand.place.country },
  };
}

function measuredAt(scope: Scope, brand: Brand, day: number): string {
  return instantIn(day, 180 + (hashOf(scope.seed, 'minute', brand.index, day) % 150));
}

function dimensionsOf(scope: Scope, brand: Brand, method: Method, day: number): JsonObject {
  return Object.fromEntries(
    dimensions.map((name) => [name, decimal(dimensionScore(scope, brand, method, name, day), 1)]),
  );
}

/** Counts by engine the answers of the last measurement that name the brand; the other engines were not asked. */
function engineFigures(scope: Scope, brand: Brand): readonly JsonObject[] {
  const last = answersIn(roundsOf(scope, brand, 1));
  return engines.map((motor) => {
    const own = last.filter(({ engine }) => engine === motor);
    if (own.length === 0) return { motor, estado: 'no disponible', menciones: null, cuota: null };
    const named = own.filter(({ position }) => position !== null).length;
    return { motor, estado: 'ok', menciones: named, cuota: decimal(named / own.length, 3) };
  });
}

function fromNewest(scope: Scope, recordsOf: (day: number) => readonly JsonObject[]): Records {
  const records: JsonObject[] = [];
  for (let day = scope.today; day >= scope.since; day--) records.push(...recordsOf(day));
  return records;
}

export const routes: readonly Route[] = [
  single('airank', latestRank, true),
  list('airank/history', 'historial', rankHistory, undefined, { csv: true }),
  single('visibility', visibility, true),
  list('visibility/history', 'puntos', visibilityHistory, undefined, {
    perClient: true,
  }),
];
