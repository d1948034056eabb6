// How much questions are asked, what engines show for them, and new ones.
import { decimal, isLikely, newestDay, pick, whole } from '../english/kit.ts';
import { comma, range } from '../kit.ts';
import { at, dated, thousands } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, firms, questions, questionsOf } from './firms.ts';
import { on } from './kit.ts';

const kinds = ['observada', 'relativa', 'estimada', 'proxy'] as const;

const units = {
  observada: 'consultas/mes',
  relativa: 'índice 0-100',
  estimada: 'consultas/mes',
  proxy: 'impresiones GSC',
} as const;

const seen = (share: number, ...words: (string | number)[]) => (isLikely(share, ...words) ? 'sí' : 'no');

export const interestRoutes: Routes<Firm> = {
  demand: ({ day }) => ({
    prompts: questions.map(({ id, firm, text }) => {
      const kind = pick(kinds, id, 'kind');
      const isThere = !isLikely(0.2, id, 'none');
      const top = kind === 'relativa' ? 100 : 9800;
      return {
        preg_id: id,
        cl_id: firm.id,
        preg_canonica: text.replaceAll(/[¿?]/g, '').toLowerCase(),
        demanda: {
          tipo: kind,
          valor: isThere ? comma(whole(10, top, id, 'demand', newestDay(day, 0.2, id)), 0) : 'not_available',
          unidad: units[kind],
          estado: isThere ? 'disponible' : 'sin proveedor',
        },
        cpc: comma(decimal(0.1, 3, 2, id, 'cpc'), 2),
        n_variantes: whole(1, 9, id, 'variants'),
      };
    }),
  }),
  bgpi: ({ day }) => ({
    nota: 'El interés de búsqueda es relativo, no es un volumen.',
    prompts: questions
      .filter((_, index) => index % 2 === 0)
      .map(({ id, firm, text }) => {
        const isHidden = isLikely(0.3, id, 'hidden');
        return {
          id_pregunta: id,
          cliente_id: firm.id,
          pregunta: text,
          observado: {
            n_observaciones: isHidden ? null : 20 + day + whole(0, 180, id, 'seen', newestDay(day, 0.5, id)),
            k_minimo: 20,
            es_suprimido: isHidden,
          },
          interes_busqueda: whole(0, 100, id, 'interest', newestDay(day, 0.5, id)),
          actualizado_el: on(day).day,
        };
      }),
  }),
  surfaces: ({ day, firm }) => ({
    generado_el: on(day).iso,
    matriz: questionsOf(firm)
      .slice(0, 10)
      .flatMap(({ id, text }) =>
        engines.map((motor) => {
          const isApi = motor === 'Claude' || motor === 'Copilot';
          return {
            motor,
            pregunta: text,
            texto: 'sí',
            fuentes: seen(0.8, id, motor, 'sources', newestDay(day, 0.2, id)),
            anuncios: isApi ? 'no disponible' : seen(0.1, id, motor, 'ads', day),
            compras: isApi ? 'no disponible' : seen(0.3, id, motor, 'shopping'),
            n_muestras: whole(2, 6, id, motor, day),
          };
        }),
      ),
  }),
  'prompt-research': ({ day }) => ({
    inv_id: 3300 + day,
    estado: 'terminada',
    terminada_el: on(day, -540).slashed,
    semilla: 'visibilidad en IA Cantabria',
    n_candidatas_brutas: 412,
    candidatas: range(1, 45).map((row) => {
      const firm = pick(firms, row, day, 'firm');
      const question = pick(questionsOf(firm), row, day);
      return {
        texto_normalizado: `${question.text.replaceAll(/[¿?]/g, '').toLowerCase()} ${2020 + (row % 7)}`,
        intencion: pick(['comercial', 'informativa', 'local'], row, day, 'intent'),
        pts_oportunidad: whole(5, 97, row, day, 'points'),
        demanda_valor: isLikely(0.2, row, day, 'none') ? 'not_available' : whole(10, 900, row, day, 'demand'),
        demanda_tipo: pick(kinds, row, day, 'kind'),
        dificultad_seo: whole(1, 100, row, day, 'hard'),
      };
    }),
  }),
};

export const interestTruth: Truth = {
  'demand.client': at('cl_id'),
  'demand.id': at('preg_id'),
  'demand.question': at('preg_canonica'),
  'demand.value': thousands('demanda.valor'),
  'demand.value_text': at('demanda.valor'),
  'demand.demand_type': at('demanda.tipo'),
  'demand.unit': at('demanda.unidad'),
  'demand.value_status': at('demanda.estado'),
  'bgpi.client': at('cliente_id'),
  'bgpi.id': at('id_pregunta'),
  'bgpi.question': at('pregunta'),
  'bgpi.as_of': at('actualizado_el'),
  'bgpi.observed': at('observado.n_observaciones'),
  'bgpi.cohort': at('observado.k_minimo'),
  'bgpi.is_suppressed': at('observado.es_suprimido'),
  'bgpi.interest': at('interes_busqueda'),
  'surfaces.(rows)': at('matriz'),
  'surfaces.engine': at('motor'),
  'surfaces.question': at('pregunta'),
  'surfaces.as_of': at('^generado_el'),
  'surfaces.text': at('texto'),
  'surfaces.sources': at('fuentes'),
  'surfaces.ads': at('anuncios'),
  'surfaces.shopping': at('compras'),
  'research.(rows)': at('candidatas'),
  'research.candidate': at('texto_normalizado'),
  'research.intent': at('intencion'),
  'research.opportunity': at('pts_oportunidad'),
  'research.demand': at('demanda_valor'),
  'research.demand_text': at('demanda_valor'),
  'research.demand_type': at('demanda_tipo'),
  'research.research_id': at('^inv_id'),
  'research.status': at('^estado'),
  'research.finished': dated('^terminada_el'),
};
