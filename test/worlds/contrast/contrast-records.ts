// Records in which things that are alike stand beside each other, and often only the other one is there: figures of
// another method, targets, those before, those of rivals, dates of something else, what a person remarked.
import { agency, engines, type Firm, firms, questionsOf, rankOf, slugOf } from '../atlas/firms.ts';
import { decimal, hex, isLikely, on, pick, whole } from '../atlas/kit.ts';
import { range, round, type Words } from '../kit.ts';
import type { Truth } from '../world.ts';

const people = ['Marta', 'Joao', 'Ines', 'Owen', 'Katrin', 'Dario'];
const doings = ['rang about', 'wants to see', 'is waiting for', 'asked twice for', 'disagrees with'];
const things = ['the March invoice', 'new photographs', 'the price list', 'a call on Friday', 'the old text'];

/** What a person wrote, as nobody will again. */
const remark = (...words: Words): string | null =>
  isLikely(0.7, ...words, 'remark')
    ? `${pick(people, ...words)} ${pick(doings, ...words)} ${pick(things, ...words, 'what')}, since ${whole(2, 28, ...words)}.${whole(1, 12, ...words, 'm')}., ${hex(3, ...words)}`
    : null;

const each = <T>(count: number, make: (firm: Firm, index: number) => T): T[] =>
  firms.flatMap((firm) => range(1, count).map((index) => make(firm, index)));
const score = (firm: Firm, day: number) => rankOf(firm, day);
const kinds = ['content', 'press', 'schema', 'reviews'];
const states = ['open', 'running', 'done'];
const question = (firm: Firm, index: number) => {
  const all = questionsOf(firm);
  return all[index % all.length]?.text ?? '';
};
const engineNames = engines.map(([, name]) => name);
const engine = (...words: Words) => pick(engineNames, ...words);
const share = (...words: Words) => decimal(0.01, 0.9, 3, ...words);
const host = (...words: Words) => pick(['which.co.uk', 'reddit.com', 'nytimes.com', 'quora.com'], ...words);

type Make = (day: number, firm: Firm) => unknown;

/** By route; lists stand under the key of the reference. */
export const bodies: Readonly<Record<string, Make>> = {
  airank: (day, firm) => ({
    id: hex(12, firm.id, day),
    cliente: firm === agency ? null : firm.id,
    nombre: firm.name,
    vigente: { metodo: 'v2', puntuacion: score(firm, day), fecha: on(day).day },
    previo: {
      metodo: 'v1',
      puntuacion: score(firm, day - 30),
      fecha: on(day - 30).day,
      comparable: isLikely(0.5, firm.id, day),
      motivos: ['few answers'],
      posicion: whole(2, 9, firm.id),
    },
    meta: { puntuacion: round(score(firm, day) + 8), fecha: on(day + 90).day },
    comentario: remark(firm.id, day),
  }),
  'airank/history': (day) => ({
    puntos: [agency, ...firms].flatMap((firm) =>
      range(-20, day).map((at) => ({
        id: hex(10, firm.id, at),
        cliente: firm.id,
        fecha: on(at).day,
        metodo: 'v2',
        puntuacion: score(firm, at),
        puntuacion_meta: round(score(firm, at) + 6),
        puntuacion_prevista: round(score(firm, at) + 1),
        posicion_objetivo: whole(1, 4, firm.id, at),
        nota: remark(firm.id, at),
        revisada: on(at + 3).day,
      })),
    ),
  }),
  clientes: (day) => ({
    clientes: firms.map((firm, index) => ({
      id: firm.id,
      nombre: firm.name,
      dominio: firm.domain,
      estado: index === 3 && day > 0 ? 'paused' : 'active',
      sector: firm.sector,
      pais: firm.country,
      ciudad: firm.town,
      moneda: firm.currency,
      moneda_plan: 'USD',
      renovacion: on(40 * index + 20).day,
      ultima_revision: on(day - index - 1).day,
      gestor: pick(people, firm.id),
      comentario: remark(firm.id),
    })),
  }),
  mediciones: (day) => ({
    mediciones: firms.flatMap((firm) =>
      range(-12, day).map((at) => ({
        id: hex(14, firm.id, 'm', at),
        cliente: firm.id,
        inicio: on(at, 3).utc,
        fin: on(at, 20).utc,
        estado: pick(states, firm.id, at),
        metodo: 'v2',
        resultado: { puntuacion: score(firm, at), objetivo: round(score(firm, at) + 5) },
        v1: {
          comparable: isLikely(0.6, firm.id, at),
          motivos: ['few answers'],
          posicion: whole(1, 9, firm.id),
        },
        respuestas_previstas: whole(100, 120, firm.id, at),
        motores_omitidos: [engine(firm.id, at)],
        duracion_s: whole(100, 900, firm.id, at),
        observaciones: remark(firm.id, at),
        lanzada_por: pick(people, firm.id, at),
      })),
    ),
  }),
  respuestas: (day) => ({
    respuestas: each(16, (firm, i) => ({
      id: hex(14, firm.id, 'a', i),
      medicion: hex(14, firm.id, 'm', day - (i % 4)),
      cliente: firm.id,
      fecha: on(day - (i % 4), i).utc,
      motor: engine(firm.id, i),
      modelo: pick(engines, firm.id, i)[2],
      pregunta: question(firm, i),
      rival: {
        nombre: pick(firm.rivals, i),
        mencionado: isLikely(0.5, firm.id, i),
        posicion: whole(1, 5, firm.id, i),
        tono: pick(['positive', 'neutral', 'negative'], firm.id, i),
      },
      texto:
        `People who ask about ${firm.topics[0]} like ${firm.rivals[i % 4]} for its ${hex(4, i)} and more. `.repeat(
          3,
        ),
      nota: remark(firm.id, i),
    })),
  }),
  citas: (day) => ({
    citas: each(16, (firm, i) => ({
      id: hex(14, firm.id, 'c', i),
      respuesta: hex(14, firm.id, 'a', i),
      cliente: firm.id,
      fecha: on(day - (i % 4), i).utc,
      motor: engine(firm.id, i),
      pregunta: question(firm, i),
      enlace: `https://${host(firm.id, i)}/${slugOf(firm.name)}/${i}`,
      marca_rival: isLikely(0.4, firm.id, i),
      posicion_rival: whole(1, 9, firm.id, i, 'p'),
    })),
  }),
  acciones: () => ({
    acciones: each(6, (firm, i) => ({
      id: `T-${firm.id}-${i}`,
      cliente: firm.id,
      titulo: `Write ${i} pages on ${pick(firm.topics, i)}`,
      tipo: pick(kinds, firm.id, i),
      estado: pick(states, firm.id, i),
      prioridad: pick(['high', 'low'], firm.id, i),
      vence: on(i * 5).day,
      comentario: remark(firm.id, i),
    })),
  }),
  visibility: (day, firm) => ({
    cliente: firm === agency ? null : firm.id,
    seleccion: { metodo: 'v2', puntuacion: score(firm, day), fecha: on(day).day },
    variantes: {
      v1: {
        puntuacion: rankOf(firm, day, 'v1'),
        fecha: on(day - 7).day,
        comparable: isLikely(0.5, firm.id, day),
        motivos: ['few answers'],
        posicion: whole(2, 9, firm.id),
      },
      v2: { puntuacion: score(firm, day), fecha: on(day).day },
    },
    observaciones: remark(firm.id, day),
  }),
  'visibility/history': (day, firm) => ({
    puntos: range(-20, day).map((at) => ({
      dia: on(at).day,
      vigente: { metodo: 'v2', puntuacion: score(firm, at) },
      previo: {
        metodo: 'v1',
        puntuacion: rankOf(firm, at, 'v1'),
        comparable: isLikely(0.5, firm.id, at),
        motivos: ['few answers'],
        posicion: whole(2, 9, firm.id, at),
      },
      comentario: remark(firm.id, at),
    })),
  }),
  rank2: (day, firm) => ({
    cliente: firm === agency ? null : firm.id,
    calculado: on(day, 4).utc,
    estimacion: score(firm, day),
    sector: { minimo: 21.5, maximo: decimal(70, 80, 1, day), media: decimal(40, 50, 1, firm.id, day) },
    objetivo: { minimo: 55, maximo: 65 },
    posicion_anterior: whole(1, 9, firm.id),
  }),
  prediccion: (day) => ({
    hecho: on(day).day,
    modelo: 'holt winters',
    serie: range(1, 20).map((at) => ({
      dia: on(day + at).day,
      prevista: round(50 + at * 0.2 + decimal(0, 1, 1, day, at)),
      objetivo: { minimo: 55, maximo: 60 + at / 2 },
      real_anterior: decimal(40, 48, 1, at),
    })),
  }),
  prompts: () => ({
    preguntas: each(12, (firm, i) => ({
      id: `P-${firm.id}-${i}`,
      cliente: firm.id,
      pregunta: question(firm, i),
      intencion: pick(['buy', 'learn'], i),
      presencia_rivales: share(firm.id, i),
      presencia_objetivo: 0.5,
      posicion_objetivo: whole(1, 3, i),
      posicion_rival: decimal(1, 6, 1, firm.id, i),
      motores_pendientes: [engine(firm.id, i)],
      nota_interna: remark(firm.id, i),
    })),
  }),
  'prompt-clusters': () => ({
    clusters: each(4, (firm, i) => ({
      id: `G-${firm.id}-${i}`,
      cliente: firm.id,
      nombre: `${firm.topics[i - 1]} and more`,
      oportunidad: whole(1, 99, firm.id, i),
      presencia_rivales: share(firm.id, i),
      preguntas: [question(firm, i)],
    })),
  }),
  'prompt-gaps': (day) => ({
    huecos: each(8, (firm, i) => ({
      cliente: firm.id,
      pregunta: question(firm, i),
      oportunidad: whole(1, 99, firm.id, i),
      prioridad: pick(['high', 'low'], firm.id, i),
      rivales: firm.rivals.slice(0, 1 + (i % 3)),
      motores_omitidos: [engine(firm.id, i)],
      ultima_revision: on(day - i).day,
      vence: on(day + i).day,
    })),
  }),
  fanouts: () => ({
    porPrompt: each(8, (firm, i) => ({
      id: `P-${firm.id}-${i}`,
      cliente: firm.id,
      pregunta: question(firm, i),
      busquedas: [`best ${firm.topics[0]} ${i}`],
      terminos: firm.topics.slice(0, 2),
      cubiertas_rival: whole(0, 4, firm.id, i),
      enlace_rival: `https://${host(i)}/${i}`,
    })),
  }),
  sources: () => ({
    dominios: each(4, (firm, i) => ({
      cliente: firm.id,
      dominio: host(firm.id, i),
      tipo: pick(['press', 'forum'], i, firm.id),
      autoridad: whole(20, 99, i),
      citas: whole(30, 90, firm.id, i),
      citas_propias: whole(0, 30, firm.id, i, 'own'),
      brecha_anterior: whole(0, 20, firm.id, i),
      oportunidad: { tipo: pick(['pitch', 'listing'], firm.id, i), comentario: remark(firm.id, i) },
      notas: remark(firm.id, i, 'n'),
    })),
  }),
  citations: (day) => ({
    urls: each(10, (firm, i) => ({
      cliente: firm.id,
      enlace: `https://${host(firm.id, i)}/${slugOf(firm.name)}/${i}`,
      titulo: `Guide ${i} to ${pick(firm.topics, i)}`,
      citas: whole(1, 90, firm.id, i),
      citas_anterior: whole(1, 90, firm.id, i, 'old'),
      motores: [engine(firm.id, i)],
      marca_rival: isLikely(0.5, firm.id, i),
      publicada: on(-300 + i * 7).day,
      revisada: on(day - i).day,
    })),
  }),
  competitors: (day) => ({
    competidores: each(4, (firm, i) => ({
      cliente: firm.id,
      rival: firm.rivals[i - 1],
      clase: pick(['primary', 'emerging', 'discovered'], firm.id, i),
      menciones_por_100: decimal(1, 50, 1, firm.id, i),
      menciones_propias_por_100: decimal(1, 50, 1, firm.id),
      movimiento_propio: decimal(-4, 4, 1, firm.id, day),
      cuota_propia: share(firm.id, 'own'),
      cuota_objetivo: share(firm.id, 'goal'),
      temas: firm.topics.slice(0, 2),
      comentario: remark(firm.id, i),
    })),
    avisos: each(4, (firm, i) => ({
      cliente: firm.id,
      rival: firm.rivals[i - 1],
      tipo: pick(['overtake', 'new'], firm.id, i),
      vence: on(day + i).day,
      revisada: on(day - i).day,
      nota_interna: remark(firm.id, i, 'alert'),
    })),
  }),
  perception: (day) => ({
    atributos: each(5, (firm, i) => ({
      cliente: firm.id,
      marca: firm.name,
      rasgo: pick(['durable', 'cheap', 'slow', 'premium'], firm.id, i),
      polaridad: pick(['positive', 'negative'], firm.id, i),
      menciones_rivales: whole(1, 40, firm.id, i),
      menciones_objetivo: whole(10, 20, firm.id, i),
      comentario: remark(firm.id, i),
    })),
    afirmaciones: each(3, (firm, i) => ({
      cliente: firm.id,
      marca: firm.name,
      afirmacion: `${firm.name} guarantees its ${pick(firm.topics, i)} for ${i} years.`,
      veredicto: pick(['true', 'false', 'open'], firm.id, i),
      comentario: remark(firm.id, i, 'claim'),
      creada: on(day - i * 3).day,
    })),
  }),
  products: (day, firm) => ({
    productos: range(1, 12).map((i) => ({
      id: `R-${firm.id}-${i}`,
      sku: hex(6, firm.id, i).toUpperCase(),
      nombre: `${pick(firm.topics, i)} ${i}`,
      enlace: `https://${firm.domain}/p/${i}`,
      precio: decimal(5, 90, 2, firm.id, i),
      precio_anterior: decimal(5, 90, 2, firm.id, i, 'old'),
      precio_rival: decimal(5, 90, 2, firm.id, i, 'rival'),
      precio_objetivo: decimal(5, 90, 2, firm.id, i, 'goal'),
      moneda: firm.currency,
      presencia_rivales: share(firm.id, i),
      victorias_objetivo: 0.4,
      tasa_victorias_rivales: share(firm.id, i, 'wins'),
      creada: on(-300 + i).day,
      vence: on(day + 100 + i).day,
    })),
  }),
  shopping: () => ({
    merchants: each(4, (firm, i) => ({
      cliente: firm.id,
      comercio: pick(['Amazon', 'Argos', 'Etsy', 'eBay'], firm.id, i),
      enlaces_rotos: whole(0, 9, firm.id, i),
      cuota_anterior: share(firm.id, i),
      destino: pick(['product', 'home'], firm.id, i),
      comentario: remark(firm.id, i),
    })),
  }),
  crawl: (day) => ({
    salud: each(4, (firm, i) => ({
      cliente: firm.id,
      bot: pick(['GPTBot', 'ClaudeBot', 'PerplexityBot', 'CCBot'], firm.id, i),
      dominio: firm.domain,
      estado: pick(['healthy', 'blocked'], firm.id, i),
      visitas: whole(10, 900, firm.id, i, day),
      visitas_anterior: whole(10, 900, firm.id, i),
      tasa_errores_objetivo: 0.02,
      tasa_errores_anterior: share(firm.id, i),
      ms_maximo: whole(900, 9000, firm.id, i),
      primera_visita: on(-200 + i, i).utc,
      proxima_visita: on(day + 1, i).utc,
    })),
  }),
  revenue: (day) => ({
    porCanal: each(4, (firm, i) => ({
      cliente: firm.id,
      canal: engineNames[i - 1],
      moneda: firm.currency,
      importe: decimal(100, 9000, 2, firm.id, i, day),
      importe_objetivo: decimal(100, 9000, 2, firm.id, i),
      importe_anterior: decimal(100, 9000, 2, firm.id, i, 'old'),
      pedidos_previstos: whole(1, 99, firm.id, i),
      sesiones_anterior: whole(100, 990, firm.id, i),
      comentario: remark(firm.id, i),
    })),
  }),
  benchmark: (day) => ({
    cortes: each(3, (firm, i) => ({
      cliente: firm.id,
      corte: ['global', 'sector', 'country'][i - 1],
      valor: [`all`, firm.sector, firm.country][i - 1],
      marcas: whole(20, 400, firm.id, i),
      percentil_objetivo: whole(50, 99, firm.id, i),
      percentil_anterior: whole(5, 99, firm.id, i),
      puntuacion_propia: score(firm, day),
      puntuacion_maxima: decimal(80, 95, 1, i),
    })),
  }),
  experiments: (day) => ({
    experimentos: each(5, (firm, i) => ({
      id: `E-${firm.id}-${i}`,
      cliente: firm.id,
      accion: `Write ${i} pages on ${pick(firm.topics, i)}`,
      hipotesis: `A table of prices makes engines name ${firm.name} more often for ${pick(firm.topics, i)}.`,
      ventana: { inicio: on(-30 - i).day, fin: on(day + i).day },
      metrica: pick(['rank', 'presence'], firm.id, i),
      estado: pick(states, firm.id, i),
      antes: decimal(20, 60, 1, firm.id, i),
      despues: decimal(20, 60, 1, firm.id, i, 'after'),
      valor_objetivo: decimal(20, 60, 1, firm.id, i, 'goal'),
      comentarios: remark(firm.id, i),
    })),
  }),
  demand: () => ({
    prompts: each(8, (firm, i) => ({
      id: `P-${firm.id}-${i}`,
      cliente: firm.id,
      pregunta: question(firm, i),
      demanda_anterior: whole(10, 900, firm.id, i),
      demanda_objetivo: whole(10, 900, firm.id, i, 'goal'),
      tipo: pick(['observed', 'estimated', 'proxy'], firm.id, i),
      comentario: remark(firm.id, i),
    })),
  }),
  bgpi: () => ({
    prompts: each(8, (firm, i) => ({
      id: `P-${firm.id}-${i}`,
      pregunta: question(firm, i),
      esperada: whole(10, 60, firm.id, i),
      generada: isLikely(0.3, firm.id, i),
      interes_anterior: whole(10, 99, firm.id, i),
    })),
  }),
  surfaces: (day) => ({
    fecha: on(day).day,
    superficies: each(8, (firm, i) => ({
      motor: engine(firm.id, i),
      pregunta: question(firm, i),
      texto: pick(['yes', 'no'], i),
      fuentes: pick(['yes', 'no'], i, firm.id),
      anuncios: pick(['yes', 'no', 'not_available'], i, firm.id, 'ads'),
      comentario: remark(firm.id, i),
    })),
  }),
  'prompt-research': (day) => ({
    id: hex(8, 'research', day),
    estado: 'running',
    iniciada: on(day - 1).day,
    caduca: on(day + 30).day,
    candidatos: range(1, 15).map((i) => ({
      texto: `best product ${i} of ${pick(things, i)}`,
      intencion: pick(['buy', 'learn'], i),
      oportunidad: whole(1, 99, i),
      demanda_objetivo: whole(10, 90, i),
      comentario: remark('research', i),
    })),
  }),
  actions: (day) => ({
    acciones: each(9, (firm, i) => ({
      id: `A-${firm.id}-${i}`,
      cliente: firm.id,
      titulo: `Write ${i} pages on ${pick(firm.topics, i)}`,
      tipo: pick(kinds, firm.id, i),
      estado: pick(states, firm.id, i),
      prioridad: pick(['high', 'low'], firm.id, i),
      actualizada: on(day - (i % 3)).day,
      vence: on(day + i).day,
      objetivo: {
        metrica: pick(['rank', 'presence'], firm.id, i),
        minimo: decimal(1, 3, 1, firm.id, i),
        maximo: decimal(3, 9, 1, firm.id, i),
        valor: decimal(2, 4, 1, firm.id, i),
      },
      valor_anterior: decimal(10, 40, 1, firm.id, i),
      comentario: remark(firm.id, i),
    })),
  }),
  triggers: (day) => ({
    registros: firms.flatMap((firm) =>
      range(-9, day).map((at) => ({
        id: hex(9, firm.id, at),
        cliente: firm.id,
        disparador: pick(['rank drop', 'new rival', 'lost page'], firm.id, at),
        fecha: on(at, 3).utc,
        antes: decimal(20, 60, 1, firm.id, at),
        objetivo: decimal(20, 60, 1, firm.id, at, 'goal'),
        comentario: remark(firm.id, at),
      })),
    ),
  }),
  'agent/memory': () => ({
    entradas: each(8, (firm, i) => ({
      id: hex(9, firm.id, 'memory', i),
      cliente: firm.id,
      fecha: on(-i * 2).day,
      decision: pick(['ACT', 'WAIT', 'NO_ACTION'], firm.id, i),
      palanca: pick(kinds, firm.id, i),
      objetivo: { direccion: pick(['up', 'flat'], firm.id, i), puntos: decimal(0, 5, 1, firm.id, i) },
      observado: { puntos: decimal(-2, 5, 1, firm.id, i), fecha: on(14 - i * 2).day },
      comentario: remark(firm.id, i),
    })),
  }),
  'agent/os': (day) => ({
    estado: 'active',
    ultimo: {
      decision: 'WAIT',
      run: hex(9, firms[0]?.id ?? '', 'run', 1),
      proxima_revision: on(day + 3).day,
    },
    comentarios: [remark('os', day) ?? 'Marta is away until Monday'],
  }),
  'agent/runs': () => ({
    runs: each(8, (firm, i) => ({
      id: hex(9, firm.id, 'run', i),
      cliente: firm.id,
      inicio: on(-i, 1).utc,
      ultimo_latido: on(-i, 7).utc,
      estado: pick(states, firm.id, i),
      decision: pick(['ACT', 'WAIT', 'NO_ACTION'], firm.id, i),
      nota_interna: remark(firm.id, i),
    })),
  }),
  optimizer: (day) => ({
    versiones: each(6, (firm, i) => ({
      id: hex(9, firm.id, 'version', i),
      cliente: firm.id,
      enlace: `https://${firm.domain}/page/${i}`,
      estado: pick(['draft', 'live'], firm.id, i),
      puntuacion_antes: whole(20, 60, firm.id, i),
      puntuacion_objetivo: whole(60, 90, firm.id, i),
      actualizada: on(day - i).day,
      notas: remark(firm.id, i),
    })),
  }),
  ask: () => ({ respuesta: 'Nothing changed.' }),
};

const at = (...paths: string[]) => ({ paths });
const list = (path: string) => at(path, `${path}[]`, `${path} | join`, `${path}[] | join`);
const own = (source: string, fields: Readonly<Record<string, string | ReturnType<typeof at>>>): Truth =>
  Object.fromEntries(
    Object.entries(fields).map(([field, place]) => [
      `${source}.${field}`,
      typeof place === 'string' ? at(place) : place,
    ]),
  );

export const truth: Truth = {
  ...own('clients', {
    id: 'id',
    name: 'nombre',
    domain: 'dominio',
    status: 'estado',
    sector: 'sector',
    country: 'pais',
    city: 'ciudad',
    currency: 'moneda',
  }),
  ...own('measurements', {
    id: 'id',
    client: 'cliente',
    date: at('inicio', 'fin'),
    measured_at: 'inicio',
    method: 'metodo',
    score: 'resultado.puntuacion',
    status: 'estado',
  }),
  ...own('rank_now', {
    id: 'id',
    client: 'cliente',
    name: 'nombre',
    method: 'vigente.metodo',
    score: 'vigente.puntuacion',
    date: 'vigente.fecha',
  }),
  ...own('rank_history', {
    id: 'id',
    client: 'cliente',
    date: 'fecha',
    method: 'metodo',
    score: 'puntuacion',
  }),
  ...own('visibility_now', {
    client: 'cliente',
    method: 'seleccion.metodo',
    score: 'seleccion.puntuacion',
    date: 'seleccion.fecha',
    v1_score: 'variantes.v1.puntuacion',
    v1_date: 'variantes.v1.fecha',
    v1_comparable: 'variantes.v1.comparable',
    v2_score: 'variantes.v2.puntuacion',
    v2_date: 'variantes.v2.fecha',
  }),
  ...own('visibility_history', {
    date: 'dia',
    method: 'vigente.metodo',
    score: 'vigente.puntuacion',
  }),
  ...own('predictions', {
    '(rows)': 'serie',
    date: 'dia',
    score: 'prevista',
    made: '^hecho',
    method: '^modelo',
  }),
  ...own('rank2', { client: 'cliente', date: 'calculado', measured_at: 'calculado', score: 'estimacion' }),
  ...own('competitors', {
    client: 'cliente',
    name: 'rival',
    class: 'clase',
    per_100: 'menciones_por_100',
    topics: list('temas'),
  }),
  ...own('competitor_alerts', { '(rows)': 'avisos', client: 'cliente', competitor: 'rival', kind: 'tipo' }),
  ...own('citations', {
    client: 'cliente',
    url: 'enlace',
    title: 'titulo',
    citations: 'citas',
    engines: list('motores'),
  }),
  ...own('citas', {
    client: 'cliente',
    id: 'id',
    answer_id: 'respuesta',
    date: 'fecha',
    cited_at: 'fecha',
    engine: 'motor',
    question: 'pregunta',
    url: 'enlace',
  }),
  ...own('sources', {
    client: 'cliente',
    domain: 'dominio',
    kind: 'tipo',
    authority: 'autoridad',
    citations: 'citas',
    opportunity_kind: 'oportunidad.tipo',
  }),
  ...own('perception', { client: 'cliente', brand: 'marca', attribute: 'rasgo', polarity: 'polaridad' }),
  ...own('claims', {
    '(rows)': 'afirmaciones',
    client: 'cliente',
    brand: 'marca',
    claim: 'afirmacion',
    verdict: 'veredicto',
  }),
  ...own('products', {
    id: 'id',
    sku: 'sku',
    title: 'nombre',
    url: 'enlace',
    price: 'precio',
    currency: 'moneda',
  }),
  ...own('merchants', { client: 'cliente', merchant: 'comercio', destination: 'destino' }),
  ...own('revenue', { client: 'cliente', channel: 'canal', currency: 'moneda', amount: 'importe' }),
  ...own('benchmark', { client: 'cliente', cut: 'corte', value: 'valor', brands: 'marcas' }),
  ...own('crawl', {
    client: 'cliente',
    bot: 'bot',
    domain: 'dominio',
    status: 'estado',
    visits: 'visitas',
  }),
  ...own('prompts', { client: 'cliente', id: 'id', question: 'pregunta', intent: 'intencion' }),
  ...own('prompt_gaps', {
    client: 'cliente',
    question: 'pregunta',
    opportunity: 'oportunidad',
    priority: 'prioridad',
    rivals: list('rivales'),
  }),
  ...own('prompt_clusters', {
    client: 'cliente',
    id: 'id',
    name: 'nombre',
    opportunity: 'oportunidad',
    questions: 'preguntas',
  }),
  ...own('fanouts', {
    client: 'cliente',
    id: 'id',
    question: 'pregunta',
    searches: 'busquedas',
    terms: list('terminos'),
  }),
  ...own('demand', { client: 'cliente', id: 'id', question: 'pregunta', demand_type: 'tipo' }),
  ...own('bgpi', { id: 'id', question: 'pregunta', is_generated: 'generada' }),
  ...own('answers', {
    client: 'cliente',
    id: 'id',
    measurement_id: 'medicion',
    answered_at: 'fecha',
    date: 'fecha',
    engine: 'motor',
    model: 'modelo',
    question: 'pregunta',
    answer: 'texto',
  }),
  ...own('surfaces', {
    '(rows)': 'superficies',
    engine: 'motor',
    question: 'pregunta',
    text: 'texto',
    sources: 'fuentes',
    ads: 'anuncios',
    as_of: '^fecha',
  }),
  ...own('research', {
    '(rows)': 'candidatos',
    candidate: 'texto',
    intent: 'intencion',
    opportunity: 'oportunidad',
    research_id: '^id',
    status: '^estado',
    started: '^iniciada',
  }),
  ...own('actions', {
    client: 'cliente',
    id: 'id',
    title: 'titulo',
    kind: 'tipo',
    status: 'estado',
    priority: 'prioridad',
    updated: 'actualizada',
  }),
  ...own('acciones', {
    client: 'cliente',
    id: 'id',
    title: 'titulo',
    kind: 'tipo',
    status: 'estado',
    priority: 'prioridad',
  }),
  ...own('experiments', {
    client: 'cliente',
    id: 'id',
    action: 'accion',
    hypothesis: 'hipotesis',
    starts: 'ventana.inicio',
    ends: 'ventana.fin',
    metric: 'metrica',
    status: 'estado',
    before: 'antes',
    after: 'despues',
  }),
  ...own('agent_memory', {
    client: 'cliente',
    id: 'id',
    date: 'fecha',
    decision: 'decision',
    lever: 'palanca',
    observed_points: 'observado.puntos',
    observed_on: 'observado.fecha',
  }),
  ...own('agent_state', { status: 'estado', decision: 'ultimo.decision', run_id: 'ultimo.run' }),
  ...own('agent_runs', {
    client: 'cliente',
    id: 'id',
    started_at: 'inicio',
    status: 'estado',
    decision: 'decision',
  }),
  ...own('triggers', {
    client: 'cliente',
    id: 'id',
    name: 'disparador',
    fired_at: 'fecha',
    date: 'fecha',
    before: 'antes',
  }),
  ...own('optimizer', {
    client: 'cliente',
    id: 'id',
    url: 'enlace',
    status: 'estado',
    before: 'puntuacion_antes',
  }),
};
