// Domains and pages that are cited, and visits of bots.
import { decimal, isLikely, newestDay, pick, whole } from '../english/kit.ts';
import { comma } from '../kit.ts';
import { at, dated, percentText, thousands } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms, pageOf, webOf } from './firms.ts';
import { on, percent } from './kit.ts';

const media = [
  { domain: 'elcorreo.com', kind: 'prensa' },
  { domain: 'reddit.com', kind: 'foro' },
  { domain: 'tripadvisor.es', kind: 'reseñas' },
  { domain: 'ocu.org', kind: 'institucional' },
  { domain: 'youtube.com', kind: 'vídeo' },
  { domain: 'directoalpaladar.com', kind: 'blog' },
] as const;

const bots = ['GPTBot', 'OAI-SearchBot', 'ChatGPT-User', 'PerplexityBot', 'ClaudeBot'];

export const webRoutes: Routes<Firm> = {
  sources: ({ day }) => ({
    dominios: firms.flatMap((firm, who) =>
      [
        { domain: firm.domain, kind: 'propio' },
        ...media,
        ...firm.rivals.map((name) => ({ domain: webOf(name), kind: 'competidor' })),
      ].map(({ domain, kind }, row) => {
        const words = [firm.name, domain] as const;
        const own = whole(0, 60, ...words, newestDay(day, 0.4, domain));
        const theirs = whole(0, 90, ...words, 'rivals', newestDay(day, 0.4, domain));
        return {
          fuente_id: (who + 1) * 100 + row,
          cl_id: firm.id,
          tx_dominio: domain,
          tx_tipo: kind,
          autoridad: whole(12, 95, domain),
          n_citas: own,
          n_citas_rival: theirs,
          oportunidad:
            theirs > own
              ? {
                  tipo: pick(['nota de prensa', 'reseña', 'colaboración'], ...words),
                  motivo: `${pick(firm.rivals, domain)} aparece y ${firm.name} no.`,
                }
              : null,
          n_enlaces_ext: comma(whole(900, 90_000, domain, 'links'), 0),
          ip_servidor: `10.2.${row}.${who}`,
        };
      }),
    ),
  }),
  citations: ({ day }) => ({
    urls: firms.flatMap((firm) =>
      [
        ...firm.things.map((thing) => ({ url: pageOf(firm, thing), domain: firm.domain })),
        ...media.map(({ domain }, row) => ({
          url: `https://www.${domain}/${firm.id}/guia-${row}.html`,
          domain,
        })),
        ...firm.rivals.map((name) => ({ url: `https://${webOf(name)}/catalogo`, domain: webOf(name) })),
      ]
        .filter(({ url }) => isLikely(0.92, url, day))
        .map(({ url, domain }) => ({
          url,
          dominio: domain,
          cliente: firm.name,
          citas: whole(1, 60, url, 'cited', newestDay(day, 0.3, url)),
          es_propio: domain === firm.domain,
          vista_por_primera_vez: on(-whole(10, 200, url)).spelled,
          vista_por_ultima_vez: on(newestDay(day, 0.5, url, 'last')).spelled,
          codigo_http: 200,
          palabras: whole(250, 2600, url, 'words'),
        })),
    ),
  }),
  crawl: ({ day }) => ({
    periodo_dias: 30,
    sitemap: { url: 'https://norteposicionamiento.es/sitemap.xml', n_urls: 214 },
    salud: firms.flatMap((firm, who) =>
      bots.map((name, row) => {
        const words = [firm.name, name] as const;
        const hits = whole(30, 8200, ...words) + day * whole(1, 40, ...words, 'more');
        return {
          rastreo_id: (who + 1) * 10 + row,
          cl_id: firm.id,
          tx_bot: name,
          tx_estado: isLikely(0.15, ...words, 'blocked') ? 'bloqueado' : 'correcto',
          n_visitas: comma(hits, 0),
          pc_error: percent(decimal(0.1, 12, 1, ...words, newestDay(day, 0.4, name))),
          ms_medio: whole(90, 1900, ...words, 'ms', newestDay(day, 0.4, name)),
          n_404: whole(0, 40, ...words, '404'),
          f_ult_visita: on(day, -whole(1, 1300, ...words, day)).slashed,
          f_ult_robots: on(-whole(1, 60, ...words)).slashed,
        };
      }),
    ),
  }),
};

export const webTruth: Truth = {
  'sources.client': at('cl_id'),
  'sources.domain': at('tx_dominio'),
  'sources.kind': at('tx_tipo'),
  'sources.authority': at('autoridad'),
  'sources.citations': at('n_citas'),
  'sources.rival_citations': at('n_citas_rival'),
  'sources.opportunity_kind': at('oportunidad.tipo'),
  'sources.opportunity_reason': at('oportunidad.motivo'),
  'citations.url': at('url'),
  'citations.domain': at('dominio'),
  'citations.citations': at('citas'),
  'citations.is_own': at('es_propio'),
  'citations.first_seen': dated('vista_por_primera_vez'),
  'citations.last_seen': dated('vista_por_ultima_vez'),
  'crawl.client': at('cl_id'),
  'crawl.bot': at('tx_bot'),
  'crawl.status': at('tx_estado'),
  'crawl.visits': thousands('n_visitas'),
  'crawl.period': at('^^periodo_dias'),
  'site_coverage.urls': at('sitemap.n_urls'),
  'crawl.error': percentText('pc_error'),
  'crawl.mean_ms': at('ms_medio'),
  'crawl.last_visit': dated('f_ult_visita'),
};
