// The questions that are asked, their groups, what is missing and what engines search for.
import { chance, decimal, isLikely, newestDay, pick, some, whole } from '../english/kit.ts';
import { range } from '../kit.ts';
import { at, dated, dayFirst, list, ofHundred } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, firms, pageOf, questions, questionsOf, webOf } from './firms.ts';
import { on, percent } from './kit.ts';
import { measuredOf } from './ranks.ts';

// What engines answered, and what they cited.
const models: Readonly<Record<string, string>> = {
  ChatGPT: 'gpt-5.1',
  Gemini: 'gemini-3-pro',
  Perplexity: 'sonar-pro',
  Copilot: 'copilot-2026-04',
  Claude: 'claude-sonnet-4-5',
};

const press = ['elcorreo.com', 'directoalpaladar.com', 'ocu.org', 'tripadvisor.es', 'reddit.com'];

/** Of the measurements of each client since shortly before the first run date. */
const answersOn = (day: number) =>
  firms.flatMap((firm) =>
    measuredOf(firm, day)
      .filter(({ offset }) => offset >= -2)
      .flatMap(({ id: measurement, offset }) =>
        range(1, 10).map((row) => {
          const question = pick(questionsOf(firm), measurement, row);
          return { id: measurement * 100 + row, measurement, offset, row, firm, question };
        }),
      ),
  );

const engineOf = (id: number) => pick(engines, id, 'engine');

export const answerRoutes: Routes<Firm> = {
  respuestas: ({ day }) => ({
    respuestas: answersOn(day).map(({ id, measurement, offset, row, firm, question }) => {
      const isNamed = isLikely(0.6, id, 'named');
      const motor = engineOf(id);
      const rival = pick(firm.rivals, id);
      const brands = isNamed ? `${firm.name} y ${rival}` : rival;
      return {
        resp_id: id,
        med_id: measurement,
        cl_id: firm.id,
        f_resp: on(offset, row * 3).slashed,
        motor: { nombre: motor, modelo: models[motor], proveedor_id: engines.indexOf(motor) + 1 },
        preg_id: question.id,
        preg_texto: question.text,
        es_mencionada: isNamed ? 1 : 0,
        pos_marca: isNamed ? whole(1, 6, id, 'place') : null,
        pos_mejor_rival: whole(1, 6, id, 'rival'),
        tx_respuesta: `Para ${question.thing} en ${firm.city} destacan ${brands}, según varias guías y reseñas recientes. Conviene comparar precios antes de decidir.`,
        n_tokens: whole(180, 900, id, 'tokens'),
        n_rivales: isNamed ? 1 : 2,
        ms_espera: whole(900, 9000, id, 'wait'),
        hash_resp: `${id.toString(16)}e${row}`,
      };
    }),
  }),
  citas: ({ day }) => ({
    citas: answersOn(day).flatMap(({ id, offset, row, firm, question }) =>
      range(1, whole(1, 2, id, 'cited')).map((at) => {
        const isOwn = isLikely(0.35, id, at, 'own');
        const dominio = isOwn ? firm.domain : pick([...press, ...firm.rivals.map(webOf)], id, at, 'domain');
        return {
          cita_id: id * 10 + at,
          resp_id: id,
          cl_id: firm.id,
          f_cita: on(offset, row * 3 + at).seconds,
          tx_motor: engineOf(id),
          preg_texto: question.text,
          url_cita: isOwn ? pageOf(firm, question.thing) : `https://${dominio}/articulo-${id % 97}`,
          es_propia: isOwn ? 'S' : 'N',
          n_orden: at,
          http_estado: isLikely(0.05, id, at) ? 404 : 200,
        };
      }),
    ),
  }),
};

export const answerTruth: Truth = {
  'answers.client': at('cl_id'),
  'answers.id': at('resp_id'),
  'answers.measurement_id': at('med_id'),
  'answers.answered_at': dated('f_resp'),
  'answers.date': dated('f_resp'),
  'answers.engine': at('motor.nombre'),
  'answers.model': at('motor.modelo'),
  'answers.question': at('preg_texto'),
  'answers.is_mentioned': at('es_mencionada'),
  'answers.position': at('pos_marca'),
  'answers.answer': at('tx_respuesta'),
  'citas.client': at('cl_id'),
  'citas.id': at('cita_id'),
  'citas.answer_id': at('resp_id'),
  'citas.date': at('f_cita'),
  'citas.cited_at': at('f_cita'),
  'citas.engine': at('tx_motor'),
  'citas.question': at('preg_texto'),
  'citas.url': at('url_cita'),
  'citas.is_own': at('es_propia'),
  'citas.position': at('n_orden'),
};

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
