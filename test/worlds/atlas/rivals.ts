// Rivals, what is said of brands, and where it is read.

import { grouped, range } from '../kit.ts';
import { at, dayFirst, list, percent } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, ofFirms, slugOf } from './firms.ts';
import { decimal, hex, isLikely, on, pick, some, whole, yesNo } from './kit.ts';

const competitor = (firm: Firm, rival: string, index: number, day: number) => ({
  '@type': 'CompetitorStanding',
  clientNumber: firm.id,
  competitorName: rival,
  competesWith: firm.name,
  tier: index === 0 ? 'PRIMARY' : index < 3 ? 'EMERGING' : 'DISCOVERED',
  website: `${slugOf(rival).replaceAll('-', '')}.com`,
  mentionsPer100Answers: decimal(6, 58, 1, rival, 'per100', day),
  ourMentionsPer100Answers: decimal(10, 60, 1, firm.id, 'per100', day),
  movement: { points: decimal(-4, 4, 1, rival, 'movement', day), over: 'P7D' },
  shareOfVoice: `${decimal(4, 34, 1, rival, 'voice', day)} %`,
  themes: some(firm.topics, 0.5, rival, 'themes').map((label) => ({
    label,
    answers: whole(3, 40, rival, label),
  })),
  weeklySeries: range(1, 6).map((week) => ({
    weekEnding: on(day - 7 * (6 - week)).day,
    per100: decimal(6, 58, 1, rival, 'week', week, day),
  })),
});

const alert = (firm: Firm, index: number, day: number) => {
  const rival = pick(firm.rivals, firm.id, 'alert', index);
  const age = whole(0, 5, firm.id, 'age', index) + index * 4;
  return {
    alertId: hex(10, firm.id, 'alert', index),
    clientNumber: firm.id,
    raisedOn: on(-age).dayFirst,
    acknowledged: yesNo(index > 1 || day > 1),
    competitorName: rival,
    alertType: pick(['OVERTAKE', 'NEW_ENTRANT', 'SURGE'], firm.id, 'type', index),
    narrative: `${rival} gained ground on ${firm.topics[index % firm.topics.length]}.`,
  };
};

const traits = [
  ['hard-wearing', 'POSITIVE'],
  ['good value', 'POSITIVE'],
  ['slow delivery', 'NEGATIVE'],
  ['premium', 'NEUTRAL'],
  ['responsive customer service', 'POSITIVE'],
  ['limited choice', 'NEGATIVE'],
] as const;

const perception = (firm: Firm, day: number) =>
  [firm.name, ...firm.rivals.slice(0, 2)].flatMap((brand) =>
    traits.map(([trait, polarity]) => ({
      client: { ref: firm.id, name: firm.name },
      brandName: brand,
      trait,
      ownBrand: yesNo(brand === firm.name),
      polarity,
      mentionCount: whole(1, 90, brand, trait, 'mentions', day),
      verbatim: `“${brand} is known for being ${trait}, though it depends on the ${pick(firm.topics, brand, trait)}.”`,
      certaintyPct: whole(45, 99, brand, trait, 'certainty'),
      lexiconVersion: 'en-7',
    })),
  );

const factCheck = (firm: Firm, topic: string, index: number, day: number) => ({
  clientNumber: firm.id,
  brand: firm.name,
  statement: `${firm.name} offers a ${whole(2, 10, firm.id, topic)}-year guarantee on every ${topic}.`,
  finding:
    index === 0 && day > 0 ? 'CORRECTED' : pick(['SUPPORTED', 'CONTRADICTED', 'UNVERIFIED'], firm.id, topic),
  referenceFact: `The guarantee on a ${topic} is 5 years.`,
  verifiedOn: on(-whole(0, 40, firm.id, topic, 'verified')).spelled,
});

const hosts = [
  ['which.co.uk', 'REVIEW_SITE'],
  ['theguardian.com', 'NEWS'],
  ['reddit.com', 'FORUM'],
  ['globeandmail.com', 'NEWS'],
  ['trustpilot.com', 'REVIEW_SITE'],
  ['wikipedia.org', 'REFERENCE'],
  ['youtube.com', 'VIDEO'],
  ['goodhousekeeping.com', 'MAGAZINE'],
  ['quora.com', 'FORUM'],
] as const;

function source(firm: Firm, host: string, kind: string, day: number) {
  const ours = whole(0, 40, firm.id, host, 'ours', day);
  const rivals = whole(0, 60, firm.id, host, 'rivals', day);
  const isBehind = rivals > ours;
  return {
    clientNumber: firm.id,
    host,
    siteCategory: kind,
    authority: {
      score: whole(60, 96, host, 'authority'),
      provider: 'AuthorityIndex',
      refreshedOn: on(-9).spelled,
    },
    citationTally: { total: ours + rivals + whole(0, 30, firm.id, host, 'others'), ours, rivals },
    shortfall: Math.max(0, rivals - ours),
    opening: isBehind
      ? {
          type: pick(['EDITORIAL_PITCH', 'LISTING', 'REVIEW_REQUEST'], firm.id, host),
          rationale: `${host} cites rivals ${rivals - ours} times more often.`,
        }
      : null,
    rivalsCited: some(firm.rivals, 0.5, firm.id, host, 'cited'),
    robotsAllowed: true,
  };
}

function page(firm: Firm, index: number, day: number) {
  const isOwn = isLikely(0.35, firm.id, 'own page', index);
  const [host] = isOwn ? [firm.domain] : pick(hosts, firm.id, 'page', index);
  const topic = pick(firm.topics, firm.id, 'page topic', index);
  return {
    clientName: firm.name,
    link: `https://www.${host}/${slugOf(topic)}/${slugOf(firm.town)}-${index}`,
    host,
    pageTitle: `${topic[0]?.toUpperCase()}${topic.slice(1)} guide ${2023 + (index % 4)}`,
    timesCited: grouped(whole(2, 1900, firm.id, 'cited', index) + day * (index % 3)),
    wordCount: whole(400, 3000, firm.id, 'words', index),
    citedBy: some(engines, 0.5, firm.id, 'by', index).map(([code]) => code),
    ownSite: yesNo(isOwn),
    firstCitedOn: on(-whole(20, 200, firm.id, 'first', index)).dayFirst,
    lastCitedOn: on(day - whole(0, 12, firm.id, 'last', index)).dayFirst,
    fingerprint: hex(12, firm.id, 'print', index),
  };
}

export const rivalRoutes: Routes<Firm> = {
  competitors: ({ day }) => ({
    competidores: ofFirms((firm) => firm.rivals.map((rival, index) => competitor(firm, rival, index, day))),
    _embedded: { alerts: ofFirms((firm) => range(0, 5).map((index) => alert(firm, index, day))) },
    _links: { self: { href: '/api/v1/competitors' } },
  }),
  perception: ({ day }) => ({
    atributos: ofFirms((firm) => perception(firm, day)),
    factChecks: ofFirms((firm) => firm.topics.map((topic, index) => factCheck(firm, topic, index, day))),
  }),
  sources: ({ day }) => ({
    dominios: ofFirms((firm) => hosts.map(([host, kind]) => source(firm, host, kind, day))),
  }),
  citations: ({ day }) => ({
    urls: ofFirms((firm) => range(1, 24 + day).map((index) => page(firm, index, day))),
    crawlEdition: 'E-118',
  }),
};

export const rivalTruth: Truth = {
  'competitors.client': at('clientNumber'),
  'competitors.name': at('competitorName'),
  'competitors.brand': at('competesWith'),
  'competitors.class': at('tier'),
  'competitors.per_100': at('mentionsPer100Answers'),
  'competitors.movement': at('movement.points'),
  'competitors.topics': list('themes', 'label'),
  'competitors.domain': at('website'),
  'competitors.share': percent('shareOfVoice'),
  'competitor_series.(rows)': at('weeklySeries'),
  'competitor_series.client': at('^clientNumber'),
  'competitor_series.competitor': at('^competitorName'),
  'competitor_series.brand': at('^competesWith'),
  'competitor_series.date': at('weekEnding'),
  'competitor_series.per_100': at('per100'),
  'competitor_alerts.(rows)': at('_embedded.alerts'),
  'competitor_alerts.client': at('clientNumber'),
  'competitor_alerts.date': dayFirst('raisedOn'),
  'competitor_alerts.competitor': at('competitorName'),
  'competitor_alerts.kind': at('alertType'),
  'competitor_alerts.message': at('narrative'),
  'perception.client': at('client.ref'),
  'perception.brand': at('brandName'),
  'perception.attribute': at('trait'),
  'perception.is_own': at('ownBrand'),
  'perception.polarity': at('polarity'),
  'perception.mentions': at('mentionCount'),
  'perception.phrase': at('verbatim'),
  'perception.confidence': at('certaintyPct | percent'),
  'claims.(rows)': at('factChecks'),
  'claims.client': at('clientNumber'),
  'claims.brand': at('brand'),
  'claims.claim': at('statement'),
  'claims.verdict': at('finding'),
  'claims.fact': at('referenceFact'),
  'claims.checked': at('verifiedOn'),
  'sources.client': at('clientNumber'),
  'sources.domain': at('host'),
  'sources.kind': at('siteCategory'),
  'sources.authority': at('authority.score'),
  'sources.citations': at('citationTally.total'),
  'sources.rival_citations': at('citationTally.rivals'),
  'sources.gap': at('shortfall'),
  'sources.opportunity_kind': at('opening.type'),
  'sources.opportunity_reason': at('opening.rationale'),
  'sources.rivals': list('rivalsCited'),
  'citations.url': at('link'),
  'citations.domain': at('host'),
  'citations.title': at('pageTitle'),
  'citations.citations': at('timesCited | point'),
  'citations.engines': list('citedBy'),
  'citations.is_own': at('ownSite'),
  'citations.first_seen': dayFirst('firstCitedOn'),
  'citations.last_seen': dayFirst('lastCitedOn'),
};
