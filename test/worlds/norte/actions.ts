// What is done: the action centre, the old list of actions, experiments and pages that were rewritten.
import { decimal, hex, isLikely, newestDay, pick, whole } from '../english/kit.ts';
import { range, round } from '../kit.ts';
import { at, dated, dayFirst } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms, pageOf } from './firms.ts';
import { on } from './kit.ts';

const kinds = ['contenido', 'datos estructurados', 'reseñas', 'enlaces', 'ficha local'];
const metrics = ['rank_ia', 'presencia', 'citas propias'];
const levels = ['alta', 'media', 'baja'];

interface Action {
  readonly id: number;
  readonly firm: Firm;
  readonly kind: string;
  readonly title: string;
  /** Days before the first run date, negative. */
  readonly since: number;
}

const actions: readonly Action[] = firms.flatMap((firm, who) =>
  range(1, 12).map((row) => {
    const kind = pick(kinds, firm.name, row);
    const title = `Mejorar ${kind} de ${pick(firm.things, firm.name, row)} (${row})`;
    return { id: 4000 + who * 100 + row, firm, kind, title, since: -whole(5, 90, firm.name, row) };
  }),
);

const statusOf = (id: number, day: number) =>
  pick(['pendiente', 'en curso', 'hecha', 'pospuesta'], id, 'status', newestDay(day, 0.2, id));

export const actionRoutes: Routes<Firm> = {
  actions: ({ day }) => ({
    acciones: actions.map(({ id, firm, title, since }) => {
      const status = statusOf(id, day);
      const low = decimal(0.5, 3, 1, id, 'low');
      return {
        id,
        cliente: { id: firm.id, nombre: firm.name },
        titulo: title,
        estado: status,
        creado_el: on(since).day,
        actualizado_el: on(newestDay(day, 0.2, id)).day,
        pospuesta_hasta: status === 'pospuesta' ? on(day + whole(5, 30, id)).day : null,
        impacto: { nivel: pick(levels, id, 'impact'), puntos: decimal(0.5, 6, 1, id, 'points') },
        esfuerzo_horas: whole(1, 16, id, 'hours'),
        expectativa: {
          metrica: pick(metrics, id),
          rango: [low, round(low + decimal(1, 4, 1, id, 'wide'))],
          congelada_el: on(since + 1).spelled,
        },
        resultado:
          status === 'hecha'
            ? {
                observado: decimal(-1, 6, 1, id, 'seen'),
                lectura: 'Compatible con lo esperado; sin causa probada.',
              }
            : null,
        evidencias: whole(1, 7, id, 'evidence'),
      };
    }),
  }),
  acciones: ({ day }) => ({
    acciones: actions.map(({ id, firm, title, since }) => ({
      acc_id: id,
      cl_id: firm.id,
      acc_titulo: title,
      acc_estado: statusOf(id, day),
      acc_responsable: pick(['Leire', 'Nacho', 'Covadonga'], id),
      f_alta: on(since).dmy,
      f_mod: on(newestDay(day, 0.2, id)).dmy,
      es_facturable: isLikely(0.5, id, 'bill') ? 'S' : 'N',
    })),
  }),
  experiments: ({ day }) => ({
    experimentos: actions
      .filter(({ id }) => id % 3 === 0)
      .map(({ id, firm, kind, title, since }) => {
        const before = decimal(20, 60, 1, id, 'before');
        const after = round(before + decimal(-2, 8, 1, id, 'after'));
        const isOver = since + 28 < day;
        return {
          exp_id: `EXP-${id}`,
          cl_id: firm.id,
          tx_accion: title,
          tx_hipotesis: `Si mejoramos ${kind}, ${firm.name} saldrá en más respuestas.`,
          f_ventana: [on(since).dmy, on(since + 28).dmy],
          tx_metrica: pick(metrics, id),
          tx_estado: isOver ? 'cerrado' : 'en curso',
          v_antes: before,
          v_despues: isOver ? after : null,
          v_esperado: round(before + decimal(1, 6, 1, id, 'wish')),
          v_control: decimal(20, 60, 1, id, 'control'),
          tx_conclusion: isOver ? pick(['repetir', 'abandonar', 'ampliar la muestra'], id) : null,
          n_preguntas_test: whole(6, 24, id),
        };
      }),
  }),
  optimizer: ({ day }) => ({
    ultima: { ver_id: 9000 + day, resumen: 'Añadida tabla de precios y preguntas frecuentes.' },
    versiones: firms.flatMap((firm, who) =>
      firm.things.flatMap((thing, column) =>
        range(1, 2).map((version) => {
          const id = 8000 + who * 100 + column * 10 + version;
          const before = whole(25, 60, id, 'before');
          return {
            ver_id: id,
            cl_id: firm.id,
            url_pagina: pageOf(firm, thing),
            n_version: version,
            tx_estado: pick(
              ['aprobada', 'borrador creado', 'exportada', 'revertida'],
              id,
              'status',
              newestDay(day, 0.2, id),
            ),
            nota_antes: before,
            nota_despues: before + whole(3, 30, id, 'better'),
            nota_legibilidad: whole(40, 90, id, 'reading'),
            hash_html: hex(20, id),
          };
        }),
      ),
    ),
  }),
};

export const actionTruth: Truth = {
  'actions.client': at('cliente.id'),
  'actions.id': at('id'),
  'actions.title': at('titulo'),
  'actions.status': at('estado'),
  'actions.created': at('creado_el'),
  'actions.updated': at('actualizado_el'),
  'actions.postponed_until': at('pospuesta_hasta'),
  'actions.impact_level': at('impacto.nivel'),
  'actions.impact_points': at('impacto.puntos'),
  'actions.expectation_metric': at('expectativa.metrica'),
  'actions.expectation_from': at('expectativa.rango[0]', 'expectativa.rango | first'),
  'actions.expectation_to': at('expectativa.rango[1]', 'expectativa.rango[-1]', 'expectativa.rango | last'),
  'actions.expectation_frozen': dated('expectativa.congelada_el'),
  'actions.result_observed': at('resultado.observado'),
  'actions.result_reading': at('resultado.lectura'),
  'actions.expectation': at('expectativa'),
  'acciones.client': at('cl_id'),
  'acciones.id': at('acc_id'),
  'acciones.title': at('acc_titulo'),
  'acciones.status': at('acc_estado'),
  'acciones.created': dayFirst('f_alta'),
  'experiments.client': at('cl_id'),
  'experiments.id': at('exp_id'),
  'experiments.action': at('tx_accion'),
  'experiments.hypothesis': at('tx_hipotesis'),
  'experiments.starts': at('f_ventana[0] | dmy'),
  'experiments.ends': at('f_ventana[1] | dmy', 'f_ventana[-1] | dmy'),
  'experiments.metric': at('tx_metrica'),
  'experiments.status': at('tx_estado'),
  'experiments.before': at('v_antes'),
  'experiments.after': at('v_despues'),
  'experiments.expected': at('v_esperado'),
  'experiments.conclusion': at('tx_conclusion'),
  'optimizer.client': at('cl_id'),
  'optimizer.id': at('ver_id'),
  'optimizer.url': at('url_pagina'),
  'optimizer.status': at('tx_estado'),
  'optimizer.before': at('nota_antes'),
  'optimizer.after': at('nota_despues'),
};
