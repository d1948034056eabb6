// How much is asked: demand, interest in questions, surfaces of the engines, the newest research, and `ask`.
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers, engines, questions } from './customers.ts';
import { chance, drifting, isLikely, on, pick, some, upTo, whole, yesNo } from './kit.ts';

const units: Readonly<Record<string, string>> = {
  observada: 'preguntas/mes',
  relativa: 'índice 0-100',
  estimada: 'búsquedas/mes',
  proxy: 'clics/mes',
};

const kinds = Object.keys(units);

const demand = (day: number): unknown[] =>
  questions.map(({ id, text }) => {
    const kind = pick(kinds, id, 'kind');
    const isThere = isLikely(0.8, id, 'there');
    const value =
      kind === 'relativa'
        ? drifting(whole(8, 92, id, 'relative'), day, id)
        : whole(20, 4000, id, 'volume') + day;
    return {
      id_pregunta: id,
      texto_canonico: text.replaceAll(/[¿?]/g, '').toLowerCase(),
      demanda: {
        valor: isThere ? value : 'not_available',
        tipo: kind,
        unidad: units[kind],
        situacion: isThere ? 'disponible' : 'sin proveedor',
      },
      demanda_rival_top: whole(100, 900, id, 'rival'),
      variantes_fusionadas: whole(1, 9, id, 'merged'),
    };
  });

const interest = (day: number): unknown[] =>
  questions.map(({ id, text, customer }) => {
    const people = whole(2, 60, id, 'people');
    const isHidden = people < 10;
    return {
      promptKey: id,
      wording: text,
      observed: {
        askCount: isHidden ? null : people + whole(0, 5, id, 'asked', day),
        kAnon: 10 + (chance(id, 'k') > 0.5 ? 5 : 0),
        suppressed: yesNo(isHidden),
      },
      searchInterest: Math.round(drifting(whole(5, 93, id, 'base'), day, id, 'interest')),
      dataTrust: pick(['alta', 'media', 'baja'], id, 'trust'),
      ofAccount: { name: customer.name },
      etag: `W/"${id.toLowerCase()}-${day}"`,
    };
  });

const shown = (...seed: readonly (string | number)[]): string =>
  pick(['Sí', 'Sí', 'No', 'no disponible'], ...seed);

const surfaces = (day: number): unknown[] =>
  questions
    .filter((_, index) => index % 2 === 0)
    .flatMap(({ id, text, customer }) =>
      engines.map((engine) => ({
        motor: engine,
        pregunta: text,
        pregunta_id: id,
        cuenta: customer.name,
        superficies: {
          texto: 'Sí',
          fuentes: shown(engine, id, 'fuentes'),
          anuncios: shown(engine, id, 'anuncios', day),
          compras: shown(engine, id, 'compras', day),
        },
        captura: `cap/${engine.toLowerCase()}/${id}.png`,
      })),
    );

function research(day: number): unknown {
  const entries = customers
    .flatMap((customer) =>
      customer.goods.flatMap((good) => [`${good} barato`, `${good} vs otros`, `opiniones de ${good}`]),
    )
    .map((candidate) => {
      const isThere = isLikely(0.7, candidate, 'there');
      const found = {
        intencion: pick(['compra', 'comparación', 'información'], candidate),
        oportunidad: drifting(whole(15, 90, candidate, 'base'), day, candidate),
        demanda: {
          cifra: isThere ? whole(10, 2400, candidate, 'volume') : 'not_available',
          clase: pick(['estimada', 'proxy'], candidate, 'kind'),
        },
        variantes: some(['en línea', 'cerca', 'usado', '2026'], 0.5, candidate).map(
          (end) => `${candidate} ${end}`,
        ),
        largo: candidate.length,
      };
      return [candidate, found] as const;
    });
  return {
    investigacion: {
      folio: `INV-2026-${17 + day}`,
      estatus: day === 1 ? 'en proceso' : 'terminada',
      termino: day === 1 ? null : on(day).spelled,
      semillas: 25,
    },
    candidatos: Object.fromEntries(entries),
  };
}

export const interestAnswers: Routes<Customer> = {
  demand: ({ day }) => ({ prompts: demand(day), cobertura_por_grupo: { Precios: 0.6, Comparativas: 0.4 } }),
  bgpi: ({ day }) => ({ prompts: interest(day), disclaimer: 'Interés relativo, no volumen' }),
  surfaces: ({ day }) => ({ revision: on(day).day, observaciones: surfaces(day) }),
  'prompt-research': ({ day }) => research(day),
  ask: ({ query, day, firm: customer }) => ({
    pregunta: query.get('pregunta') ?? '',
    respuesta: `El AI Rank de ${customer.name} se movió poco esta semana.`,
    basado_en: upTo(2).map((index) => ({ ruta: ['airank', 'competitors'][index], fecha: on(day).day })),
  }),
};

export const interestTruth: Truth = {
  'demand.id': { paths: ['id_pregunta'] },
  'demand.question': { paths: ['texto_canonico'] },
  'demand.value': { paths: ['demanda.valor'] },
  'demand.value_text': { paths: ['demanda.valor'] },
  'demand.demand_type': { paths: ['demanda.tipo'] },
  'demand.unit': { paths: ['demanda.unidad'] },
  'demand.value_status': { paths: ['demanda.situacion'] },

  'bgpi.id': { paths: ['promptKey'] },
  'bgpi.question': { paths: ['wording'] },
  'bgpi.observed': { paths: ['observed.askCount'] },
  'bgpi.cohort': { paths: ['observed.kAnon'] },
  'bgpi.is_suppressed': { paths: ['observed.suppressed'] },
  'bgpi.interest': { paths: ['searchInterest'] },
  'bgpi.confidence': { paths: ['dataTrust'] },

  'surfaces.(rows)': { paths: ['observaciones'] },
  'surfaces.engine': { paths: ['motor'] },
  'surfaces.question': { paths: ['pregunta'] },
  'surfaces.as_of': { paths: ['^revision'] },
  'surfaces.text': { paths: ['superficies.texto'] },
  'surfaces.sources': { paths: ['superficies.fuentes'] },
  'surfaces.ads': { paths: ['superficies.anuncios'] },
  'surfaces.shopping': { paths: ['superficies.compras'] },

  'research.(rows)': { paths: ['candidatos.*'] },
  'research.candidate': { paths: ['@key'] },
  'research.intent': { paths: ['intencion'] },
  'research.opportunity': { paths: ['oportunidad'] },
  'research.demand': { paths: ['demanda.cifra'] },
  'research.demand_text': { paths: ['demanda.cifra'] },
  'research.demand_type': { paths: ['demanda.clase'] },
  'research.variants': { paths: ['variantes[] | count', 'variantes | count'] },
  'research.research_id': { paths: ['^investigacion.folio'] },
  'research.status': { paths: ['^investigacion.estatus'] },
  'research.finished': { paths: ['^investigacion.termino'] },
};
