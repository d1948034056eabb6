// The questions of the panel, their groups, gaps, and what engines search for.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { comma, round } from '../kit.ts';
import { at, is, listed, longNumber, moved, seconds, shortened, some, type Theme, within } from './kit.ts';
import { engines, type Owner, owners, questionsOf } from './owners.ts';

export function questionId(owner: Owner, index: number): string {
  return longNumber('question', owner.slug, index);
}

/** Every question of every owner. */
export const allQuestions = owners.flatMap((owner) =>
  questionsOf(owner).map((text, index) => ({ owner, text, index, seed: `${owner.slug}-${index}` })),
);

function panel(day: number): unknown[] {
  return allQuestions.map(({ owner, text, index, seed }) => {
    const presence = within(0, 100, chance('presence', seed) * 80 + moved(day, 12, seed));
    return {
      n: index + 1,
      id_preg: questionId(owner, index),
      propietario: owner.id,
      enunciado: text,
      situacion: chance('active', seed) < 0.88 ? 'activa' : 'inactiva',
      '% presencia': round(presence),
      '% presencia ant.': round(presence * 0.97),
      'posic. media': presence < 5 ? null : comma(decimal(1, 7, 1, 'place', seed), 1),
      consultada_en: some(engines, 0.8, 'asked', seed).map(({ name, model }) => ({
        buscador: name,
        modelo: model,
      })),
      resp_28d: whole(20, 140, 'answers', seed),
      // By engine, as the old panel showed it.
      por_motor: Object.fromEntries(engines.map(({ key }) => [key, round(chance(key, seed) * 80)])),
      fec_alta: seconds(at(-whole(30, 500, 'since', seed))),
    };
  });
}

function groups(day: number): unknown[] {
  return owners.flatMap((owner) =>
    owner.goods.map((good, index) => {
      const questions = questionsOf(owner).slice(index * 10, index * 10 + 10);
      return {
        clave: `${owner.slug}-grupo-${index + 1}`,
        cliente_id: owner.id,
        etiqueta: `Todo sobre ${good}`,
        pts_oport: round(within(0, 100, decimal(20, 90, 1, 'gain', good) + moved(day, 8, good))),
        dificultad: decimal(10, 80, 1, 'hard', good),
        preguntas: questions.map((texto, at) => ({ id: questionId(owner, index * 10 + at), texto })),
        total_preguntas: questions.length,
        color: pick(['#0a7', '#c30', '#36c'], good),
      };
    }),
  );
}

function gaps(day: number): unknown[] {
  return allQuestions
    .filter(({ seed }) => chance('gap', seed) < 0.5)
    .map(({ owner, text, seed }) => ({
      marca_afectada: owner.name,
      consulta: text,
      potencial: Math.round(within(1, 100, whole(15, 95, 'potential', seed) + moved(day, 10, 'gap', seed))),
      aparecen: some(owner.rivals, 0.5, 'rivals', seed),
      cuantos_rivales: some(owner.rivals, 0.5, 'rivals', seed).length,
      visto_desde: shortened(at(-whole(2, 140, 'gap-since', seed))),
      descartado: false,
    }));
}

function searches(day: number): unknown[] {
  return allQuestions
    .filter(({ seed }) => chance('fanout', seed) < 0.65)
    .map(({ owner, text, index, seed }) => {
      const made = engines
        .filter(({ key }) => chance('made', key, seed) < 0.7)
        .map(({ name, key }) => ({
          motor: name,
          busca: `${text.replaceAll(/[¿?]/g, '').toLowerCase()} ${pick(['2026', 'opiniones', 'precio'], key, seed)}`,
          la_cubre: chance('covers', key, seed) + moved(day, 0.3, key, seed) < 0.35,
        }));
      return {
        cliente: owner.id,
        pregunta_id: questionId(owner, index),
        frase: text,
        busquedas: made,
        num_busquedas: made.length,
        cubiertas: made.filter(({ la_cubre }) => la_cubre).length,
        profundidad: whole(1, 3, 'depth', seed),
      };
    });
}

function demand(day: number): unknown[] {
  return allQuestions.map(({ owner, text, index, seed }) => {
    const type = pick(['observada', 'relativa', 'estimada', 'proxy'], 'demand', seed);
    const none = chance('no-demand', seed) < 0.25;
    const amount =
      type === 'relativa'
        ? whole(1, 100, 'relative', seed)
        : whole(10, 4_800, 'volume', seed) + Math.max(0, Math.round(moved(day, 90, seed)));
    return {
      ref_preg: questionId(owner, index),
      forma_canonica: text.replaceAll(/[¿?]/g, '').toLowerCase(),
      clase_demanda: type,
      medida: {
        cuantia: none ? 'not_available' : amount,
        unid: type === 'relativa' ? 'índice 0-100' : 'consultas/mes',
        margen: none ? null : decimal(0.05, 0.4, 2, 'margin', seed),
      },
      cobertura: round(chance('cover', seed), 2),
      proveedor: none ? null : 'datos-es',
    };
  });
}

function signals(day: number): unknown[] {
  return allQuestions
    .filter(({ seed }) => chance('signal', seed) < 0.7)
    .map(({ owner, text, index, seed }) => {
      const people = whole(2, 90, 'people', seed) + Math.max(0, Math.round(moved(day, 8, 'people', seed)));
      return {
        pregunta_ref: questionId(owner, index),
        consulta: text,
        observadas: people < 12 ? null : people * 3,
        anonimato_k: people,
        oculta: people < 12 ? 'sí' : 'no',
        interes_rel: whole(0, 100, 'interest', seed),
        interes_hace_un_mes: whole(0, 100, 'interest-before', seed),
        semanas: [0, 1, 2, 3].map((week) => whole(0, 30, 'week', week, seed)),
      };
    });
}

export const questions: Theme = {
  routes: {
    prompts: ({ day }) => ({ preguntas: panel(day), panel: { version: 7, activo: true } }),
    'prompt-clusters': ({ day }) => ({ clusters: groups(day), generado_con: 'k-medias' }),
    'prompt-gaps': ({ day }) => ({ huecos: gaps(day) }),
    fanouts: ({ day }) => ({ porPrompt: searches(day), ventana_dias: 28 }),
    demand: ({ day }) => ({ prompts: demand(day), cobertura_por_grupo: { media: 0.52 } }),
    bgpi: ({ day }) => ({ prompts: signals(day), k_minimo: 12, aviso: 'Interés relativo, no volumen' }),
  },
  truth: {
    'prompts.client': is('propietario'),
    'prompts.id': is('id_preg'),
    'prompts.question': is('enunciado'),
    'prompts.is_active': is('situacion'),
    'prompts.presence': is('% presencia | percent'),
    'prompts.mean_position': is('"posic. media" | comma', '"posic. media"'),
    'prompts.engines': listed('consultada_en', 'buscador'),
    'prompt_clusters.client': is('cliente_id'),
    'prompt_clusters.id': is('clave'),
    'prompt_clusters.name': is('etiqueta'),
    'prompt_clusters.opportunity': is('pts_oport'),
    'prompt_clusters.questions': is('preguntas'),
    'prompt_gaps.question': is('consulta'),
    'prompt_gaps.opportunity': is('potencial'),
    'prompt_gaps.rivals': listed('aparecen'),
    'prompt_gaps.detected': is('visto_desde'),
    'fanouts.client': is('cliente'),
    'fanouts.id': is('pregunta_id'),
    'fanouts.question': is('frase'),
    'fanouts.searches': is('busquedas'),
    'fanouts.covered': is('cubiertas'),
    'demand.id': is('ref_preg'),
    'demand.question': is('forma_canonica'),
    'demand.value': is('medida.cuantia'),
    'demand.value_text': is('medida.cuantia'),
    'demand.demand_type': is('clase_demanda'),
    'demand.unit': is('medida.unid'),
    'bgpi.id': is('pregunta_ref'),
    'bgpi.question': is('consulta'),
    'bgpi.observed': is('observadas'),
    'bgpi.cohort': is('anonimato_k'),
    'bgpi.is_suppressed': is('oculta'),
    'bgpi.interest': is('interes_rel'),
  },
};
