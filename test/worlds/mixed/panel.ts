// Questions of the panel: nested under attributes, grouped, missed, and searched for by the engines.

import { round } from '../kit.ts';
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers, engines, questions } from './customers.ts';
import { decimal, drifting, isLikely, on, pick, some, whole } from './kit.ts';

const presenceOf = (id: string, day: number): number =>
  round(drifting(whole(6, 92, id), day, id, 'presence') / 100, 3);

const panel = (day: number): unknown[] =>
  questions.map(({ id, text, intent, customer }) => ({
    type: 'pregunta',
    id,
    attributes: {
      enunciado: text,
      intencion: intent,
      estado: isLikely(0.88, id, 'active', Math.floor(day / 2)) ? 'activa' : 'inactiva',
      motores: some(engines, 0.8, id),
      largo: text.length,
    },
    metricas: {
      presencia: presenceOf(id, day),
      presencia_mejor_rival: decimal(0.2, 0.9, 3, id, 'rival', day),
      pp: decimal(1.1, 4.9, 2, id, 'pp', day),
      posicion_mejor_rival: decimal(1.1, 4.9, 2, id, 'mean', day),
      corridas: whole(20, 40, id, 'runs') + day,
    },
    relationships: { cuenta: { data: { type: 'cuenta', id: customer.code } } },
    meta: { revision: whole(1, 6, id, 'revision'), actualizada: on(day - 1).utc },
  }));

/** Questions with rivals and without the brand. */
const missed = (day: number): unknown[] =>
  questions
    .filter(({ id }) => isLikely(0.9, id, 'missed', day))
    .map(({ id, text, customer }) => ({
      promptRef: id,
      promptText: text,
      oppScore: drifting(whole(12, 90, id, 'base'), day, id, 'opportunity'),
      whoShowsUp: some(customer.rivals, 0.5, id).map(({ name, domain }) => ({ name, domain })),
      spottedOn: on(-whole(1, 70, id, 'spotted')).yearFirst,
      reviewedBy: pick(['ribarra', 'jsosa', null], id, 'reviewed'),
    }));

const groups = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    ['Dónde comprar', 'Comparativas', 'Precios'].map((group, index) => {
      const held = questions.filter((question) => question.customer === customer && question.group === group);
      return {
        id_grupo: `${customer.code.slice(-3)}-${index + 1}`,
        etiqueta: `${group}: ${customer.trade.toLowerCase()}`,
        puntaje_oportunidad: drifting(whole(20, 85, customer.code, group), day, 'chance'),
        puntaje_modelo_anterior: drifting(45, day, customer.code, group, 'old'),
        presencia_marca_pct: drifting(
          whole(10, 88, group, customer.code),
          day,
          customer.code,
          group,
          'presence',
        ),
        presencia_rival_pct: drifting(60, day, customer.code, group, 'rival'),
        preguntas: held.map(({ id, text }) => ({ id, texto: text })),
        cliente: { nombre: customer.name, color: '#2b7a4b' },
      };
    }),
  );

const searches = (day: number): unknown[] =>
  questions.map(({ id, text, customer }) => {
    const bare = text.replaceAll(/[¿?]/g, '').toLowerCase();
    const made = some(['opiniones', 'precio 2026', 'cerca de mí', 'marcas', 'envío'], 0.6, id, day);
    const covered = made.filter((word) => isLikely(0.5, id, word, 'covered'));
    return {
      PreguntaId: id,
      Pregunta: text,
      Busquedas: made.map((word) => ({
        Consulta: `${bare} ${word}`,
        Motor: pick(engines, id, word),
        Cubierta: covered.includes(word) ? 1 : 0,
      })),
      Cobertura: {
        Cubiertas: covered.length,
        CubiertasPorRival: whole(0, made.length, id, 'rival covers'),
      },
      CuentaId: customer.code,
      Corrida: `FO-${whole(1000, 9999, id, 'run')}`,
    };
  });

export const panelAnswers: Routes<Customer> = {
  prompts: ({ day }) => ({ preguntas: panel(day), meta: { total: questions.length } }),
  'prompt-gaps': ({ day }) => ({ huecos: missed(day), computedAt: on(day).utc }),
  'prompt-clusters': ({ day }) => ({ clusters: groups(day), algoritmo: 'hdbscan-2' }),
  fanouts: ({ day }) => ({ porPrompt: searches(day), Ventana: 14 }),
};

export const panelTruth: Truth = {
  'prompts.client': { paths: ['relationships.cuenta.data.id'] },
  'prompts.id': { paths: ['id'] },
  'prompts.question': { paths: ['attributes.enunciado'] },
  'prompts.as_of': { paths: ['meta.actualizada'] },
  'prompts.is_active': { paths: ['attributes.estado'] },
  'prompts.intent': { paths: ['attributes.intencion'] },
  'prompts.presence': { paths: ['metricas.presencia'] },
  'prompts.mean_position': { paths: ['metricas.pp'], isDoubtful: true },
  'prompts.engines': { paths: ['attributes.motores'] },

  'prompt_gaps.question': { paths: ['promptText'] },
  'prompt_gaps.opportunity': { paths: ['oppScore'] },
  'prompt_gaps.rivals': { paths: ['whoShowsUp', 'whoShowsUp[].name'] },
  'prompt_gaps.detected': { paths: ['spottedOn'] },

  'prompt_clusters.id': { paths: ['id_grupo'] },
  'prompt_clusters.name': { paths: ['etiqueta'] },
  'prompt_clusters.opportunity': { paths: ['puntaje_oportunidad'] },
  'prompt_clusters.presence': { paths: ['presencia_marca_pct | percent'] },
  'prompt_clusters.questions': { paths: ['preguntas'] },

  'fanouts.client': { paths: ['CuentaId'] },
  'fanouts.id': { paths: ['PreguntaId'] },
  'fanouts.question': { paths: ['Pregunta'] },
  'fanouts.searches': { paths: ['Busquedas'] },
  'fanouts.covered': { paths: ['Cobertura.Cubiertas'] },
};
