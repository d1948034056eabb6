// What engines answered, and what they cited.
import { isLikely, pick, whole } from '../english/kit.ts';
import { range } from '../kit.ts';
import { at, dated } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, firms, pageOf, questionsOf, webOf } from './firms.ts';
import { measuredOf } from './histories.ts';
import { on } from './kit.ts';

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
