// Pages and bots: `citations`, `sources`, `crawl`, `optimizer`.

import { grouped, range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { clients, type Firm, firms } from './firms.ts';
import { decimal, hex, isLikely, newestDay, on, pick, uuid, whole } from './kit.ts';

export const webRoutes: Routes<Firm> = { citations, sources, crawl, optimizer };

const hosts = [
  ['reddit.com', 'community'],
  ['nytimes.com', 'news'],
  ['yelp.com', 'directory'],
  ['youtube.com', 'video'],
  ['wikipedia.org', 'reference'],
  ['consumerreports.org', 'reviews'],
  ['quora.com', 'community'],
  ['forbes.com', 'news'],
  ['trustpilot.com', 'reviews'],
  ['medium.com', 'blog'],
] as const;

function citations({ day }: Ask<Firm>): unknown {
  return {
    urls: range(1, 240 + 3 * day)
      .reverse()
      // A few pages are lost each day.
      .filter((at) => at % 71 === 0 || at % 71 > day)
      .map((at) => {
        const firm = pick(clients, 'cited', at);
        const isOwn = isLikely(0.3, 'own', at);
        const [host] = isOwn ? [firm.domain] : pick(hosts, 'cited', at);
        const topic = pick(firm.topics, 'cited', at);
        const first = at > 240 ? Math.ceil((at - 240) / 3) : -whole(1, 150, 'first', at);
        return {
          pageId: uuid('page', at),
          page: `https://www.${host}/${topic.toLowerCase().replaceAll(' ', '-')}-${at}`,
          host,
          customer: firm.name,
          owned: isOwn ? 'Y' : 'N',
          timesCited: grouped(at % 6 === 0 ? whole(1000, 2400, 'times', at) : whole(1, 400, 'times', at)),
          firstSpotted: on(first).spelled,
          lastSpotted: on(Math.max(first, newestDay(day, 0.3, 'spotted', at))).spelled,
          wordCount: whole(300, 4000, 'words', at),
          httpStatus: 200,
          contentHash: hex(16, 'content', at),
        };
      }),
    window: 'last 180 days',
  };
}

function sources({ day }: Ask<Firm>): unknown {
  return {
    dominios: range(1, 110).map((at) => {
      const [host, category] = pick(hosts, 'source', at);
      return {
        host: at <= hosts.length ? hosts[at - 1]?.[0] : `${category}-${at}.${host.split('.')[1]}`,
        category: at <= hosts.length ? hosts[at - 1]?.[1] : category,
        trust: whole(20, 98, 'trust', at),
        strength: whole(20, 98, 'strength', at),
        spamScore: whole(0, 12, 'spam', at),
        citedTimes: whole(1, 260, 'cites', at) + day,
        competitorCitedTimes: whole(0, 320, 'rival', at),
        tld: host.split('.')[1],
        firstCrawl: on(-whole(200, 400, 'crawl', at)).epochSeconds,
      };
    }),
    authorityProvider: 'in-house',
  };
}

const bots = [
  ['GPTBot', 'training'],
  ['OAI-SearchBot', 'search'],
  ['ClaudeBot', 'training'],
  ['PerplexityBot', 'search'],
  ['Google-Extended', 'training'],
  ['ChatGPT-User', 'user request'],
  ['Bytespider', 'training'],
  ['Applebot', 'search'],
  ['Amazonbot', 'search'],
] as const;

function crawl({ day }: Ask<Firm>): unknown {
  return {
    salud: firms.flatMap((firm) =>
      bots.map(([agent, goal]) => ({
        agent,
        site: firm.domain,
        goal,
        requests30d: whole(40, 5200, 'visits', agent, firm.slug) + day * 11,
        uniquePages30d: whole(10, 300, 'pages', agent, firm.slug),
        failureRatio: decimal(0, 0.12, 3, 'failure', agent, firm.slug),
        p95LatencyMs: decimal(900, 2400, 1, 'latency95', agent, firm.slug),
        lastHit: on(newestDay(day, 0.7, 'hit', agent, firm.slug), whole(0, 300, agent)).epochSeconds,
        robotsTxt: 'allowed',
      })),
    ),
    sitemap: { found: 'yes', urls: 412 },
    logWindow: { from: on(day - 30).day, to: on(day).day },
  };
}

function optimizer({ day }: Ask<Firm>): unknown {
  const version = (at: number) => {
    const firm = pick(clients, 'optimized', at);
    const prior = whole(30, 70, 'prior', at);
    const offset = at > 72 ? at - 72 : (at - 72) * 2;
    return {
      versionId: uuid('version', at),
      site: { clientId: firm.id, host: firm.domain },
      target: `https://www.${firm.domain}/${pick(firm.topics, 'target', at).toLowerCase().replaceAll(' ', '-')}`,
      lifecycle: offset > day - 4 ? 'draft created' : pick(['approved', 'exported', 'reverted'], 'life', at),
      scores: { prior, revised: prior + whole(1, 25, 'revised', at), readability: whole(40, 80, 'read', at) },
      draftedOn: on(offset).yearFirst,
      builtOn: on(offset - whole(0, 2, 'built', at)).yearFirst,
      promptTokens: whole(900, 9000, 'tokens', at),
    };
  };
  return {
    versiones: range(1, 72 + day)
      .reverse()
      .map(version),
    newest: version(72 + day),
    toolVersion: '3.4.1',
  };
}

export const webTruth: Truth = {
  'citations.url': { paths: ['page'] },
  'citations.domain': { paths: ['host'] },
  'citations.citations': { paths: ['timesCited | point'] },
  'citations.period': { paths: ['^^window'] },
  'citations.is_own': { paths: ['owned'] },
  'citations.first_seen': { paths: ['firstSpotted'] },
  'citations.last_seen': { paths: ['lastSpotted'] },
  'sources.domain': { paths: ['host'] },
  'sources.kind': { paths: ['category'] },
  // Either may be what is called authority.
  'sources.authority': { paths: ['trust', 'strength'], isDoubtful: true },
  'sources.citations': { paths: ['citedTimes'] },
  'sources.rival_citations': { paths: ['competitorCitedTimes'] },
  'crawl.bot': { paths: ['agent'] },
  'crawl.domain': { paths: ['site'] },
  'crawl.purpose': { paths: ['goal'] },
  'crawl.visits': { paths: ['requests30d'] },
  'site_coverage.urls': { paths: ['sitemap.urls'] },
  'crawl.error': { paths: ['failureRatio'] },
  'crawl.last_visit': { paths: ['lastHit'] },
  'optimizer.client': { paths: ['site.clientId'] },
  'optimizer.id': { paths: ['versionId'] },
  'optimizer.url': { paths: ['target'] },
  'optimizer.status': { paths: ['lifecycle'] },
  'optimizer.before': { paths: ['scores.prior'] },
  'optimizer.after': { paths: ['scores.revised'] },
  // No word on which of the two is when it was made.
  'optimizer.created': { paths: ['draftedOn', 'builtOn'], isDoubtful: true },
};
