// The AI Rank now, by version, forecast, and the second rank.
import { chance, decimal, hex, whole } from '../english/kit.ts';
import { range, round } from '../kit.ts';
import { at, dated, list, percentText } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, type Firm, rankOf } from './firms.ts';
import { on, percent } from './kit.ts';

const minutesOf = (firm: Firm) => whole(0, 600, firm.name, 'minute');

export const parts = ['presencia', 'posicion', 'sentimiento', 'fuentes'] as const;

export const partsOf = (firm: Firm, offset: number): Record<string, number> =>
  Object.fromEntries(
    parts.map((name) => [
      name,
      round(rankOf(firm, offset, 'v2') + decimal(-14, 14, 1, firm.name, name) + chance(name, offset)),
    ]),
  );

const seoOf = (firm: Firm, offset: number) => decimal(20, 80, 1, firm.name, 'seo', Math.floor(offset / 7));

export const placeOf = (firm: Firm, offset: number) =>
  whole(2, 9, firm.name, 'place', Math.floor(offset / 5));

export function publicRank(id: string, day: number): unknown {
  return /^[a-z0-9-]+$/.test(id) ? { ref_publica: id, rank_ia: rankOf(agency, day, 'v2') } : undefined;
}

export const rankRoutes: Routes<Firm> = {
  airank: ({ firm, day }) => {
    const score = rankOf(firm, day, 'v2');
    return {
      objeto: 'rank_ia',
      cliente: firm.id === null ? null : { id_cliente: String(firm.id), nombre: firm.name },
      medido_el: on(day, minutesOf(firm)).iso,
      metodo: { version: 'v2', revision: '2.3.1', es_beta: false },
      puntuacion: {
        valor: score,
        maximo: 100,
        variacion_semanal: round(score - rankOf(firm, day - 7, 'v2')),
        media_del_sector: decimal(44, 56, 1, firm.sector, day),
      },
      visibilidad_seo: seoOf(firm, day),
      es_comparable: firm.id !== 1088,
      motivos: firm.id === 1088 ? ['panel de preguntas cambiado'] : [],
      dimensiones: Object.entries(partsOf(firm, day)).map(([nombre, valor]) => ({
        nombre,
        valor,
        peso: 0.25,
      })),
      huella: hex(16, firm.name, day),
    };
  },
  visibility: ({ firm, day }) => ({
    cl_id: firm.id,
    f_calculo: on(day, minutesOf(firm)).slashed,
    oficial: {
      metodo: 'v2',
      rank_ia: rankOf(firm, day, 'v2'),
      es_comparable: firm.id === 1088 ? 'N' : 'S',
      motivos: firm.id === 1088 ? ['panel de preguntas cambiado', 'menos de 20 respuestas'] : [],
    },
    versiones: {
      v1: { rank_ia: rankOf(firm, day - 3, 'v1'), f_med: on(day - 3).dmy },
      v2: {
        rank_ia: rankOf(firm, day, 'v2'),
        f_med: on(day).dmy,
      },
    },
    cuota_de_voz: percent(decimal(4, 30, 1, firm.name, day, 'voice')),
    visibilidad_seo: seoOf(firm, day),
    n_marcas_panel: 37,
    ver_calculo: 14,
  }),
  rank2: ({ firm, day }) => {
    const score = round(rankOf(firm, day, 'v2') - 2.4);
    return {
      cl_id: firm.id,
      f_calc: on(day, 95).seconds,
      rank2: score,
      ic_95: [
        round(score - decimal(2, 6, 1, firm.name, day)),
        round(score + decimal(2, 6, 1, day, firm.name)),
      ],
      n_muestra: whole(240, 620, firm.name, day, 'sample'),
      indice: round(100 + (score - 50) * 1.7),
      base_indice: 100,
      estado_metodo: 'experimental',
    };
  },
  prediccion: ({ firm, day }) => ({
    modelo: 'holt_winters',
    ver_modelo: '1.8',
    horizonte_dias: 56,
    confianza: percent(decimal(61, 88, 1, 'confidence', day)),
    rank_actual: rankOf(firm, day, 'v2'),
    pronostico: Object.fromEntries(
      range(1, 8).map((week) => {
        const score = round(rankOf(firm, day, 'v2') + week * 0.4 + chance(day, week));
        return [
          on(day + week * 7).day,
          {
            rank_ia: score,
            rango: [round(score - week), round(score + week * 1.1)],
            rank_rival: round(54 + chance('rival', day, week) * 4),
          },
        ];
      }),
    ),
  }),
};

export const rankTruth: Truth = {
  'rank_now.client': at('cliente.id_cliente'),
  'rank_now.date': at('medido_el'),
  'rank_now.measured_at': at('medido_el'),
  'rank_now.method': at('metodo.version'),
  'rank_now.score': at('puntuacion.valor'),
  'rank_now.comparable': at('es_comparable'),
  'rank_now.reasons': list('motivos'),
  'rank_now.dimensions': at('dimensiones'),
  'rank_now.name': at('cliente.nombre'),
  'visibility_now.client': at('cl_id'),
  'visibility_now.date': dated('f_calculo'),
  'visibility_now.measured_at': dated('f_calculo'),
  'visibility_now.method': at('oficial.metodo'),
  'visibility_now.score': at('oficial.rank_ia'),
  'visibility_now.comparable': at('oficial.es_comparable'),
  'visibility_now.reasons': list('oficial.motivos'),
  'visibility_now.v1_score': at('versiones.v1.rank_ia'),
  'visibility_now.v1_date': dated('versiones.v1.f_med'),
  'visibility_now.v2_score': at('versiones.v2.rank_ia'),
  'visibility_now.v2_date': dated('versiones.v2.f_med'),
  'rank2.client': at('cl_id'),
  'rank2.date': at('f_calc'),
  'rank2.measured_at': at('f_calc'),
  'rank2.score': at('rank2'),
  'rank2.lower': at('ic_95[0]', 'ic_95 | first'),
  'rank2.upper': at('ic_95[1]', 'ic_95[-1]', 'ic_95 | last'),
  'rank2.index': at('indice'),
  'predictions.(rows)': at('pronostico.*'),
  'predictions.date': at('@key'),
  'predictions.score': at('rank_ia'),
  'predictions.lower': at('rango[0]', 'rango | first'),
  'predictions.upper': at('rango[1]', 'rango[-1]', 'rango | last'),
  'predictions.method': at('^modelo'),
  'predictions.horizon_days': at('^horizonte_dias'),
  'predictions.confidence': percentText('^confianza'),
};
