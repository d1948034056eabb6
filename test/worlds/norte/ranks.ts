// The AI Rank now, by version, forecast, and the second rank.
import { chance, decimal, hex, isLikely, whole } from '../english/kit.ts';
import { comma, range, round } from '../kit.ts';
import { at, dated, dayFirst, decimalText, doubtful, list, percentText } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, everyone, type Firm, rankOf } from './firms.ts';
import { on, percent } from './kit.ts';

/** The method changed two weeks before the first run date. */
const methodOf = (offset: number) => (offset < -14 ? 'v1' : 'v2');

/** On the day of the change, and now and then. */
const isOdd = (firm: Firm, offset: number) => offset === -14 || isLikely(0.07, firm.name, 'odd', offset);

interface Measured {
  readonly id: number;
  readonly firm: Firm;
  readonly offset: number;
}

/** Every other day before the first run date, then daily. */
export const measuredOf = (firm: Firm, day: number): Measured[] =>
  range(-30, day)
    .filter((offset) => (offset + 60) % 2 === 0 || offset > 0)
    .map((offset) => ({ id: 50_000 + offset * 10 + (firm.id ?? 0) * 1000, firm, offset }));

function points(day: number): Record<string, unknown>[] {
  return everyone.flatMap((firm, who) =>
    range(-27, day).map((offset) => ({
      reg_id: 880_000 + who * 5000 + offset,
      cl_id: firm.id,
      f_med: on(offset, whole(0, 500, firm.name)).dmyTime,
      met: methodOf(offset),
      rank_ia: comma(rankOf(firm, offset, methodOf(offset))),
      rank_google: comma(whole(20, 70, firm.name, Math.floor(offset / 7))),
      es_comp: isOdd(firm, offset) ? 0 : 1,
      n_resp: whole(80, 130, firm.name, offset),
    })),
  );
}

const csv = (rows: readonly Record<string, unknown>[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map((cell) => String(cell ?? '')).join(';'))
    .join('\n');

export const historyRoutes: Routes<Firm> = {
  mediciones: ({ day }) => ({
    version_api: '1.12',
    mediciones: everyone.flatMap((firm) =>
      measuredOf(firm, day).map(({ id, offset }) => {
        const isManual = isLikely(0.08, id, 'manual');
        const isFailed = !isManual && isLikely(0.05, id, 'failed');
        return {
          med_id: id,
          cl_id: firm.id,
          f_ini: on(offset, whole(0, 500, firm.name)).slashed,
          med_tipo: isManual ? 'puntual' : 'programada',
          med_estado: isFailed ? 'fallida' : 'terminada',
          metodo: methodOf(offset),
          rank_ia: isFailed ? null : rankOf(firm, offset, methodOf(offset)),
          rank_google: whole(20, 70, firm.name, Math.floor(offset / 7)),
          es_comparable: isManual || isFailed || isOdd(firm, offset) ? 'N' : 'S',
          n_respuestas: whole(80, 130, firm.name, offset),
          n_preguntas: 24,
          hash_cfg: hex(12, firm.name),
          n_intentos: isFailed ? 3 : 1,
        };
      }),
    ),
  }),
  'airank/history': ({ day, query }) =>
    query.get('format') === 'csv' ? csv(points(day)) : { historico: points(day) },
  'visibility/history': ({ firm, day }) => ({
    marca: firm.name,
    puntos: range(-50, day).map((offset) => ({
      f_punto: on(offset).spelled,
      version: methodOf(offset),
      puntos_rank: rankOf(firm, offset, methodOf(offset)),
      puntos_seo: whole(20, 70, firm.name, Math.floor(offset / 7)),
      comparable: isOdd(firm, offset) ? 'no' : 'sí',
      desglose: partsOf(firm, offset),
    })),
  }),
};

export const historyTruth: Truth = {
  'measurements.client': at('cl_id'),
  'measurements.id': at('med_id'),
  'measurements.date': dated('f_ini'),
  'measurements.measured_at': dated('f_ini'),
  'measurements.method': at('metodo'),
  'measurements.score': at('rank_ia'),
  'measurements.comparable': at('es_comparable'),
  'measurements.kind': at('med_tipo'),
  'measurements.status': at('med_estado'),
  'measurements.answers': at('n_respuestas'),
  'rank_history.client': at('cl_id'),
  'rank_history.id': at('reg_id'),
  'rank_history.date': dayFirst('f_med'),
  'rank_history.measured_at': dayFirst('f_med'),
  'rank_history.method': at('met'),
  'rank_history.score': decimalText('rank_ia'),
  'rank_history.comparable': at('es_comp'),
  'visibility_history.date': dated('f_punto'),
  'visibility_history.measured_at': doubtful(dated('f_punto')),
  'visibility_history.method': at('version'),
  'visibility_history.score': at('puntos_rank'),
  'visibility_history.comparable': at('comparable'),
  'visibility_history.dimensions': at('desglose'),
};

const minutesOf = (firm: Firm) => whole(0, 600, firm.name, 'minute');

const parts = ['presencia', 'posicion', 'sentimiento', 'fuentes'] as const;

const partsOf = (firm: Firm, offset: number): Record<string, number> =>
  Object.fromEntries(
    parts.map((name) => [
      name,
      round(rankOf(firm, offset, 'v2') + decimal(-14, 14, 1, firm.name, name) + chance(name, offset)),
    ]),
  );

const seoOf = (firm: Firm, offset: number) => decimal(20, 80, 1, firm.name, 'seo', Math.floor(offset / 7));

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
