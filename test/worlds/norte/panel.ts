// The questions that are asked, their groups, what is missing and what engines search for.
import { chance, decimal, isLikely, newestDay, pick, some, whole } from '../english/kit.ts';
import { at, dayFirst, list, ofHundred } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, firms, questions } from './firms.ts';
import { on, percent } from './kit.ts';

const codes: Readonly<Record<string, string>> = {
  ChatGPT: 'cg',
  Gemini: 'gm',
  Perplexity: 'px',
  Copilot: 'cp',
  Claude: 'cl',
};

const verbs = ['comprar', 'mejores', 'precio', 'opiniones', 'cerca de mí', 'barato'];

export const panelRoutes: Routes<Firm> = {
  prompts: ({ day }) => ({
    preguntas: questions.map(({ id, firm, text }) => {
      const isActive = !isLikely(0.1, id, 'off');
      return {
        preg_id: id,
        cl_id: firm.id,
        preg_texto: text,
        es_activa: isActive ? 'S' : 'N',
        pc_presencia: decimal(0, 90, 1, id, 'presence', newestDay(day, 0.5, id)),
        pc_presencia_rival: decimal(0, 90, 1, id, 'rival', newestDay(day, 0.5, id)),
        motores: some(engines, 0.7, id).map((nombre) => ({ cod: codes[nombre], nombre })),
        f_alta: on(-whole(40, 400, id, 'since')).dmy,
        n_palabras: text.split(' ').length,
        n_orden: id % 100,
      };
    }),
  }),
  'prompt-clusters': ({ day }) => ({
    clusters: firms.flatMap((firm) =>
      firm.things.map((thing, row) => ({
        grupo_id: `g-${firm.id}-${row + 1}`,
        id_cliente: firm.id,
        nombre: thing,
        oportunidad: decimal(10, 95, 1, firm.name, thing, newestDay(day, 0.3, thing)),
        presencia_en_respuestas: decimal(0, 0.8, 3, thing, 'presence', newestDay(day, 0.6, thing)),
        preguntas: questions
          .filter((one) => one.firm === firm && one.thing === thing)
          .map(({ id, text }) => ({ id, texto: text })),
        color: pick(['#0b7285', '#2b8a3e', '#e67700', '#862e9c'], thing),
        creado_el: on(-whole(40, 300, thing)).day,
      })),
    ),
  }),
  'prompt-gaps': ({ day }) => ({
    huecos: questions
      .filter(({ id }) => isLikely(0.5, id, 'gap') || isLikely(0.08, id, 'gap', day))
      .map(({ id, firm, text }) => ({
        hueco_id: id * 7 + 3,
        cl_id: firm.id,
        preg_texto: text,
        pts_oportunidad: whole(15, 98, id, 'points', newestDay(day, 0.3, id)),
        rivales: some(firm.rivals, 0.5, id),
        pc_rival: percent(decimal(10, 90, 1, id, 'rival', day)),
        f_detec: on(-whole(1, 60, id, 'seen')).dmy,
        n_resp_sin_marca: whole(3, 40, id, day),
      })),
  }),
  fanouts: ({ day }) => ({
    porPrompt: questions
      .filter((_, index) => index % 3 !== 0)
      .map(({ id, firm, thing, text }) => {
        const searches = some(verbs, 0.6, id, newestDay(day, 0.3, id)).map((verb) => ({
          consulta: `${verb} ${thing} ${firm.city}`,
          motor: pick(engines, id, verb),
          es_cubierta: isLikely(0.5, id, verb, 'covered'),
        }));
        const covered = searches.filter((one) => one.es_cubierta).length;
        return {
          id_pregunta: id,
          cliente: { codigo: firm.id, nombre: firm.name },
          pregunta: text,
          busquedas: searches,
          busquedas_cubiertas: covered,
          profundidad: 1 + Math.floor(chance(id) * 3),
        };
      }),
  }),
};

export const panelTruth: Truth = {
  'prompts.client': at('cl_id'),
  'prompts.id': at('preg_id'),
  'prompts.question': at('preg_texto'),
  'prompts.is_active': at('es_activa'),
  'prompts.presence': ofHundred('pc_presencia'),
  'prompts.engines': list('motores', 'nombre'),
  'prompt_clusters.client': at('id_cliente'),
  'prompt_clusters.id': at('grupo_id'),
  'prompt_clusters.name': at('nombre'),
  'prompt_clusters.opportunity': at('oportunidad'),
  'prompt_clusters.presence': at('presencia_en_respuestas'),
  'prompt_clusters.questions': at('preguntas'),
  'prompt_gaps.client': at('cl_id'),
  'prompt_gaps.question': at('preg_texto'),
  'prompt_gaps.opportunity': at('pts_oportunidad'),
  'prompt_gaps.rivals': list('rivales'),
  'prompt_gaps.detected': dayFirst('f_detec'),
  'fanouts.client': at('cliente.codigo'),
  'fanouts.id': at('id_pregunta'),
  'fanouts.question': at('pregunta'),
  'fanouts.searches': at('busquedas'),
  'fanouts.covered': at('busquedas_cubiertas'),
};
