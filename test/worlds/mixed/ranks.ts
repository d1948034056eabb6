// The newest AI Rank: one route in camelCase English under data.attributes, one in snake_case Spanish, one in short words.

import { round } from '../kit.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, type Customer, customers } from './customers.ts';
import { chance, decimal, drifting, hex, on, pick, some, upTo, whole, yesNo } from './kit.ts';

/** What the method v2 says on a day. */
export const rankOn = (customer: Customer, day: number): number =>
  drifting(customer.rank, day, customer.code, 'rank');

/** v1 is lower throughout. */
export const formerRankOn = (customer: Customer, day: number): number =>
  round(Math.max(1, rankOn(customer, day) * 0.82 - 2));

export const placeOn = (customer: Customer, day: number): number =>
  Math.max(1, Math.round((100 - rankOn(customer, day)) / 3.2));

const pillars = ['presencia', 'recomendacion', 'fuentes', 'percepcion'] as const;

export const pillarsOn = (customer: Customer, day: number): Record<string, number> =>
  Object.fromEntries(
    pillars.map((pillar) => [pillar, drifting(customer.rank + 6, day, customer.code, pillar)]),
  );

const remarks = [
  'Muestra de respuestas menor a la habitual',
  'Copilot no respondió en dos intentos',
  'Se agregaron preguntas al panel',
];

/** Some days do not compare. */
export const isFair = (customer: Customer, day: number): boolean => chance(customer.code, 'fair', day) > 0.15;

export const remarksOn = (customer: Customer, day: number): string[] =>
  isFair(customer, day) ? [] : some(remarks, 0.4, customer.code, 'remark', day);

const rankId = (customer: Customer, day: number): string => `AR-${hex(10, customer.code, day)}`;

function newestRank(customer: Customer, day: number): unknown {
  const score = rankOn(customer, day);
  return {
    data: {
      type: 'aiRank',
      id: rankId(customer, day),
      attributes: {
        score: { value: score, previousValue: rankOn(customer, day - 7), grade: score > 50 ? 'B' : 'C' },
        experimentalScore: drifting(customer.rank + 9, day, customer.code, 'lab'),
        methodVersion: 'v2',
        measuredAt: on(day, -95).epochMs,
        comparable: isFair(customer, day),
        standing: { rank: placeOn(customer, day), outOf: 212 + day },
        pillars: pillarsOn(customer, day),
        weightsHash: hex(12, 'weights'),
      },
      relationships: {
        account: customer === agency ? null : { id: customer.code, displayName: customer.name },
      },
    },
    meta: { generatedAt: on(day, 3).utc, build: '2026.5.2', cached: false },
  };
}

function visibility(customer: Customer, day: number): unknown {
  return {
    oficial: {
      metodo: 'v2',
      indice: rankOn(customer, day),
      indice_beta: drifting(customer.rank + 5, day, customer.code, 'beta'),
      comparable: yesNo(isFair(customer, day)),
      fecha_corte: on(day).spelled,
      marcas_en_lista: 212 + day,
      motivos: remarksOn(customer, day).map((detalle, index) => ({ clave: `M${index + 1}`, detalle })),
    },
    por_metodo: {
      v1: {
        indice: formerRankOn(customer, day - 27),
        fecha_corte: on(day - 27).dayFirst,
      },
      v2: {
        indice: rankOn(customer, day),
        fecha_corte: on(day).dayFirst,
      },
    },
    componentes: Object.entries(pillarsOn(customer, day)).map(([nombre, puntos]) => ({
      nombre,
      puntos,
      peso: 0.25,
    })),
    promedio_rivales: round(customer.rank * 0.9 + decimal(0, 4, 1, customer.code, 'rivals', day)),
    meta: { generado_en: on(day, 4).utc, version_esquema: 3 },
  };
}

const secondRank = (customer: Customer, day: number): unknown => ({
  met: 'v2',
  ptj: rankOn(customer, day),
  ptj_v1: formerRankOn(customer, day),
  fch: on(day).yearFirst,
  comp: isFair(customer, day) ? 1 : 0,
});

function forecast(customer: Customer, day: number): unknown {
  const base = rankOn(customer, day);
  return {
    forecast_run: {
      made_on: on(day).yearFirst,
      algorithm: 'ets_amortiguado',
      mape_backtest: decimal(3, 6, 2, 'mape', day),
    },
    outlook_points: upTo(28).map((step) => {
      const expected = round(base + step * 0.12 + decimal(-0.4, 0.4, 2, 'forecast', day, step));
      const slack = 1 + step * 0.15;
      return {
        target_date: on(day + step + 1).day,
        expected_rank: expected,
        band: [round(expected - slack), round(expected + slack)],
        expected_mentions: whole(40, 60, 'mentions', day, step),
      };
    }),
    season: pick(['alta', 'media'], 'season', day),
  };
}

export function publicRank(id: string, day: number): unknown {
  const customer = customers.find((known) => rankId(known, day) === id);
  return customer === undefined ? undefined : newestRank(customer, day);
}

export const rankAnswers: Routes<Customer> = {
  airank: ({ firm: customer, day }) => newestRank(customer, day),
  visibility: ({ firm: customer, day }) => visibility(customer, day),
  rank2: ({ firm: customer, day }) => secondRank(customer, day),
  prediccion: ({ firm: customer, day }) => forecast(customer, day),
};

const inside = 'data.attributes';

export const rankTruth: Truth = {
  'rank_now.client': { paths: ['data.relationships.account.id'] },
  'rank_now.id': { paths: ['data.id'] },
  'rank_now.date': { paths: [`${inside}.measuredAt`] },
  'rank_now.measured_at': { paths: [`${inside}.measuredAt`] },
  'rank_now.method': { paths: [`${inside}.methodVersion`] },
  'rank_now.score': { paths: [`${inside}.score.value`] },
  'rank_now.comparable': { paths: [`${inside}.comparable`] },
  'rank_now.position': { paths: [`${inside}.standing.rank`] },
  'rank_now.dimensions': { paths: [`${inside}.pillars`] },
  'rank_now.name': { paths: ['data.relationships.account.displayName'] },

  'rank2.date': { paths: ['fch'] },
  'rank2.score': { paths: ['ptj'] },

  'visibility_now.date': { paths: ['oficial.fecha_corte'] },
  'visibility_now.method': { paths: ['oficial.metodo'] },
  'visibility_now.score': { paths: ['oficial.indice'] },
  'visibility_now.comparable': { paths: ['oficial.comparable'] },
  'visibility_now.reasons': { paths: ['oficial.motivos'] },
  'visibility_now.dimensions': { paths: ['componentes'] },
  'visibility_now.v1_score': { paths: ['por_metodo.v1.indice'] },
  'visibility_now.v1_date': { paths: ['por_metodo.v1.fecha_corte | dmy'] },
  'visibility_now.v2_score': { paths: ['por_metodo.v2.indice'] },
  'visibility_now.v2_date': { paths: ['por_metodo.v2.fecha_corte | dmy'] },

  'predictions.(rows)': { paths: ['outlook_points'] },
  'predictions.date': { paths: ['target_date'] },
  'predictions.score': { paths: ['expected_rank'] },
  'predictions.lower': { paths: ['band[0]'] },
  'predictions.upper': { paths: ['band[1]'] },
  'predictions.made': { paths: ['^forecast_run.made_on'] },
  'predictions.method': { paths: ['^forecast_run.algorithm'] },
};
