// What stands on the web: cited domains in PascalCase, visits of bots in short words, pages that were rewritten.
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers } from './customers.ts';
import { decimal, on, padded, pick, some, upTo, whole } from './kit.ts';

const stems = ['guia', 'foro', 'notas', 'opina', 'ranking', 'diario', 'compara', 'club', 'blog', 'revista'];
const endings = ['delsur.com', 'mx.com', 'latino.lat', 'argentino.com.ar', 'hoy.mx', 'total.com', 'plus.net'];
const domains = stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`));

const sources = (day: number): unknown[] =>
  domains.map((domain, index) => {
    const customer = pick(customers, 'source', index);
    const own = whole(0, 30, 'own', index) + (index % 4 === 0 ? day : 0);
    const theirs = whole(0, 60, 'theirs', index);
    const isChance = theirs > own + 15;
    return {
      Dominio: domain,
      TipoMedio: pick(['medio', 'foro', 'directorio', 'blog', 'marketplace'], 'type', index),
      Autoridad: whole(12, 92, 'authority', index),
      CitasTotales: own + theirs + whole(0, 20, 'neutral', index),
      CitasPropias: own,
      CitasRivales: theirs,
      Oportunidad: isChance ? pick(['nota patrocinada', 'ficha faltante', 'reseña'], 'chance', index) : null,
      RivalesCitados: some(customer.rivals, 0.5, 'rivals', index).map(({ name, domain: Sitio }) => ({
        Marca: name,
        Sitio,
      })),
      UltimaAuditoria: on(-whole(3, 40, 'audit', index)).yearFirst,
      RevisionInterna: whole(1, 9, 'revision', index),
    };
  });

const bots: readonly (readonly [string, string])[] = [
  ['GPTBot', 'entrenamiento'],
  ['OAI-SearchBot', 'búsqueda'],
  ['ChatGPT-User', 'consulta de usuario'],
  ['PerplexityBot', 'búsqueda'],
  ['ClaudeBot', 'entrenamiento'],
  ['Google-Extended', 'entrenamiento'],
  ['Bingbot', 'búsqueda'],
];

const visits = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    bots.map(([bot, purpose]) => {
      const seed = [customer.code, bot] as const;
      const hits = whole(4, 900, ...seed, 'hits') + whole(0, 20, ...seed, day);
      return {
        bot,
        host: customer.domain,
        purp: purpose,
        st: pick(['ok', 'ok', 'lento', 'bloqueado'], ...seed, 'st'),
        hits_30d: hits,
        blocked_30d: Math.floor(hits * 0.04),
        err_rate: decimal(0, 0.19, 3, ...seed, 'errors', day),
        avg_ms: whole(120, 1800, ...seed, 'avg', day),
        max_ms: whole(2000, 9000, ...seed, 'max', day),
        tx: hits * whole(9000, 48_000, ...seed, 'tx'),
        last_hit: on(day, -whole(10, 3000, ...seed, 'last', day)).epochSeconds,
        robots_checked: on(-5).yearFirst,
        cliente: customer.name,
      };
    }),
  );

/** A draft is approved on the next days, or taken back. */
function stateOf(index: number, day: number): string {
  const first = pick(['draft_created', 'approved', 'exported', 'reverted'], 'version', index);
  return first === 'draft_created' && day > index % 3 ? 'approved' : first;
}

const versions = (day: number): unknown[] =>
  upTo(62 + day).map((index) => {
    const customer = pick(customers, 'page', index);
    const before = whole(31, 66, 'before', index);
    return {
      'version-id': `OPT-${padded(index + 1, 4)}`,
      'page-url': `https://${customer.domain}/${pick(['catalogo', 'preguntas', 'nosotros', 'guia'], 'path', index)}/${index}`,
      state: stateOf(index, day),
      puntaje: { antes: before, despues: before + whole(-3, 21, 'gain', index) },
      'puntaje-rival-tope': whole(50, 80, 'rival', index),
      'creada-el': on(index - 62).spelled,
      palabras: whole(350, 1900, 'words', index),
      'rev-git': `r${whole(1000, 9999, 'git', index)}`,
    };
  });

export const webAnswers: Routes<Customer> = {
  sources: ({ day }) => ({ dominios: sources(day), Corte: on(day).day }),
  crawl: ({ day }) => ({ salud: visits(day), sitemap: { urls: 412 + day, errors: 3 } }),
  optimizer: ({ day }) => ({
    versiones: versions(day),
    'ultima-optimizacion': { pasos: 4, costo: '0.42 USD' },
  }),
};

export const webTruth: Truth = {
  'sources.domain': { paths: ['Dominio'] },
  'sources.kind': { paths: ['TipoMedio'] },
  'sources.authority': { paths: ['Autoridad'] },
  'sources.citations': { paths: ['CitasTotales'] },
  'sources.as_of': { paths: ['^^Corte'] },
  'sources.rival_citations': { paths: ['CitasRivales'] },
  'sources.opportunity_kind': { paths: ['Oportunidad'] },
  'sources.rivals': { paths: ['RivalesCitados', 'RivalesCitados[].Marca'] },

  'crawl.bot': { paths: ['bot'] },
  'crawl.domain': { paths: ['host'] },
  'crawl.purpose': { paths: ['purp'] },
  'crawl.status': { paths: ['st'] },
  'crawl.visits': { paths: ['hits_30d'] },
  'site_coverage.urls': { paths: ['sitemap.urls'] },
  'crawl.error': { paths: ['err_rate'] },
  'crawl.mean_ms': { paths: ['avg_ms'] },
  'crawl.bytes': { paths: ['tx'], isDoubtful: true },
  'crawl.last_visit': { paths: ['last_hit'] },

  'optimizer.id': { paths: ['version-id'] },
  'optimizer.url': { paths: ['page-url'] },
  'optimizer.status': { paths: ['state'] },
  'optimizer.before': { paths: ['puntaje.antes'] },
  'optimizer.after': { paths: ['puntaje.despues'] },
  'optimizer.created': { paths: ['creada-el'] },
};
