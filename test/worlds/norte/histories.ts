// Measurements of the AI Rank, and its points so far.
import { hex, isLikely, whole } from '../english/kit.ts';
import { comma, range } from '../kit.ts';
import { at, dated, dayFirst, decimalText, doubtful } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { everyone, type Firm, rankOf } from './firms.ts';
import { on } from './kit.ts';
import { partsOf } from './ranks.ts';

/** The method changed two weeks before the first run date. */
const methodOf = (offset: number) => (offset < -14 ? 'v1' : 'v2');

/** On the day of the change, and now and then. */
const isOdd = (firm: Firm, offset: number) => offset === -14 || isLikely(0.07, firm.name, 'odd', offset);

export interface Measured {
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
