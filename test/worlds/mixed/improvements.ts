// What is done about it: the action centre in snake_case Spanish, experiments in snake_case English, fired triggers.

import { round } from '../kit.ts';
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers, engines, questionOf } from './customers.ts';
import { decimal, drifting, isLikely, on, padded, pick, some, upTo, whole } from './kit.ts';

const lines = ['contenido', 'ficha técnica', 'relaciones públicas', 'datos estructurados', 'reseñas'];
const metrics = ['AI Rank', 'presencia', 'citas propias'];

/** Things move on, one step in a while. */
function statusOf(index: number, day: number): string {
  const steps = ['propuesta', 'en curso', 'hecha', 'hecha'];
  const step = whole(0, 2, 'status', index) + (isLikely(0.4, 'moves', index, day) ? 1 : 0);
  return isLikely(0.12, 'postponed', index) ? 'pospuesta' : (steps[step] ?? 'hecha');
}

const actions = (day: number): unknown[] =>
  upTo(64 + day).map((index) => {
    const customer = pick(customers, 'action', index);
    const status = statusOf(index, day);
    const low = decimal(0.5, 3, 1, 'low', index);
    return {
      folio: `AC-${padded(100 + index, 4)}`,
      titulo: `Mejorar la respuesta a «${questionOf(customer, index).text}»`,
      rubro: pick(lines, 'line', index),
      estatus: status,
      creada: on(index - 66).yearFirst,
      tocada_por_ultima_vez: on(day - 1, -30).utc,
      pospuesta_hasta: status === 'pospuesta' ? on(whole(10, 50, 'until', index)).yearFirst : null,
      expectativa: {
        metrica: pick(metrics, 'metric', index),
        rango: [low, round(low + decimal(1, 4, 1, 'width', index))],
        congelada_el: on(index - 64).dayFirst,
      },
      resultado:
        status === 'hecha'
          ? {
              observado: decimal(-1, 6, 1, 'seen', index),
            }
          : null,
      evidencias: some(engines, 0.4, 'evidence', index).map((motor) => ({ motor, veces: 3 })),
      cuenta: { clave: customer.code, nombre: customer.name },
      peso: decimal(0.5, 6, 1, 'impact', index),
      orden_tablero: index + 1,
    };
  });

const experiments = (day: number): unknown[] =>
  upTo(60 + (day > 1 ? 1 : 0)).map((index) => {
    const customer = pick(customers, 'action', index);
    const begin = -132 + 2 * index;
    const isOver = begin + 28 <= day;
    const before = drifting(customer.rank, begin, 'experiment', index);
    const target = decimal(1, 5, 1, 'target', index);
    const gain = decimal(-2, 7, 1, 'gain', index);
    return {
      experiment_id: `EXP-${padded(index + 1, 3)}`,
      action_done: {
        ref: `AC-${padded(100 + index, 4)}`,
        name: `Publicar guía de ${pick(customer.goods, index)}`,
      },
      category: pick(lines, 'experiment line', index),
      window: [on(begin).yearFirst, on(begin + 28).yearFirst],
      state: isOver ? 'cerrado' : 'corriendo',
      m0: before,
      m1: isOver ? round(before + gain) : null,
      control_group: drifting(customer.rank - 2, begin, 'control', index),
      expected_lift: target,
      actual_lift: isOver ? gain : null,
      reading: isOver ? pick(['compatible con lo esperado', 'sin señal clara'], 'reading', index) : null,
      account_id: customer.code,
      seed: whole(1, 9999, 'seed', index),
    };
  });

const triggerNames = [
  'caida_ai_rank',
  'rival_sube',
  'cita_perdida',
  'afirmacion_falsa',
  'precio_distinto',
  'bot_bloqueado',
  'pregunta_sin_marca',
  'sentimiento_baja',
];

const fired = (day: number): unknown[] =>
  upTo(72 + 2 * day).map((index) => {
    const before = decimal(20, 70, 1, 'before', index);
    const after = round(before - decimal(2, 9, 1, 'fall', index));
    return {
      logId: `LG-${padded(index + 1, 5)}`,
      triggerName: pick(triggerNames, 'trigger', index),
      firedAt: on(Math.floor(index / 2) - 36, 7 * (index % 60)).local,
      reading: {
        wasBefore: before,
        isNow: after,
        ref: whole(2, 4, 'threshold', index),
        weekAverage: before - 1,
      },
      whatWeDid: pick(['se avisó por correo', 'se creó una acción', 'nada, era esperado'], 'done', index),
      notifiedPeople: whole(0, 3, 'people', index),
    };
  });

export const improvementAnswers: Routes<Customer> = {
  actions: ({ day }) => ({ acciones: actions(day), tablero: 'centro' }),
  experiments: ({ day }) => ({
    experimentos: experiments(day),
    learning: { contenido: 0.62, reseñas: 0.41 },
  }),
  triggers: ({ day }) => ({
    registros: fired(day),
    configuration: upTo(16).map((index) => ({
      name: triggerNames[index] ?? `otro_${index}`,
      enabled: index < 12,
      limit: 3 + (index % 4),
    })),
  }),
};

export const improvementTruth: Truth = {
  'actions.client': { paths: ['cuenta.clave'] },
  'actions.id': { paths: ['folio'] },
  'actions.title': { paths: ['titulo'] },
  'actions.kind': { paths: ['rubro'] },
  'actions.status': { paths: ['estatus'] },
  'actions.created': { paths: ['creada'] },
  'actions.postponed_until': { paths: ['pospuesta_hasta'] },
  'actions.impact_points': { paths: ['peso'], isDoubtful: true },
  'actions.expectation_metric': { paths: ['expectativa.metrica'] },
  'actions.expectation_from': { paths: ['expectativa.rango[0]'] },
  'actions.expectation_to': { paths: ['expectativa.rango[1]'] },
  'actions.expectation_frozen': { paths: ['expectativa.congelada_el | dmy'] },
  'actions.result_observed': { paths: ['resultado.observado'] },
  'actions.expectation': { paths: ['expectativa'] },

  'experiments.client': { paths: ['account_id'] },
  'experiments.id': { paths: ['experiment_id'] },
  'experiments.action': { paths: ['action_done', 'action_done.name'] },
  'experiments.action_kind': { paths: ['category'] },
  'experiments.starts': { paths: ['window[0]'] },
  'experiments.ends': { paths: ['window[1]'] },
  'experiments.status': { paths: ['state'] },
  'experiments.before': { paths: ['m0'], isDoubtful: true },
  'experiments.after': { paths: ['m1'], isDoubtful: true },
  'experiments.expected': { paths: ['expected_lift'] },
  'experiments.actual': { paths: ['actual_lift'] },
  'experiments.reading': { paths: ['reading'] },

  'triggers.id': { paths: ['logId'] },
  'triggers.fired_at': { paths: ['firedAt'] },
  'triggers.date': { paths: ['firedAt'] },
  'triggers.name': { paths: ['triggerName'] },
  'triggers.before': { paths: ['reading.wasBefore'] },
  'triggers.after': { paths: ['reading.isNow'] },
  'triggers.threshold': { paths: ['reading.ref'], isDoubtful: true },
  'triggers.done': { paths: ['whatWeDid'] },
};
