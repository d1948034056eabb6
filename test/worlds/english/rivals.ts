// Where brands stand: `competitors`, `perception`, `benchmark`.

import { range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { clients, type Firm } from './firms.ts';
import { decimal, isLikely, on, pick, some, uuid, whole } from './kit.ts';

export const rivalRoutes: Routes<Firm> = { competitors, perception, benchmark };

const suffixes = ['', ' Direct', ' Online', ' Select'] as const;
const rivalsOf = (firm: Firm): string[] =>
  suffixes.flatMap((suffix) => firm.rivals.map((rival) => `${rival}${suffix}`));

function competitors({ day }: Ask<Firm>): unknown {
  const alertsAt = range(1, 24 + day).reverse();
  return {
    competidores: clients.flatMap((firm) =>
      rivalsOf(firm).map((company, at) => {
        const per100 = decimal(1, 60, 1, 'per100', company) + decimal(-1, 1, 1, 'per100', company, day);
        return {
          competitorId: uuid('rival', firm.slug, company),
          company,
          account_id: firm.id,
          tier: at < 3 ? 'primary' : at < 7 ? 'emerging' : 'discovered',
          mentionsPer100: Math.max(0.1, per100).toFixed(1),
          shareOfVoice: decimal(0.01, 0.4, 3, 'voice', company),
          themes: some(firm.topics, 0.5, 'themes', company).map((label, id) => ({ id, label })),
          refreshed_at: on(day, 20).utc,
          isWatched: pick([0, 1], 'watched', company),
        };
      }),
    ),
    alerts: {
      unread: whole(1, 6, 'unread', day),
      items: alertsAt.map((at) => {
        const firm = pick(clients, 'alert', at);
        const rival = pick(firm.rivals, 'alert', at);
        return {
          raisedOn: on(at - 24).monthFirst,
          account_id: firm.id,
          rival,
          blurb: `${rival} gained on ${firm.name} in ${pick(firm.topics, 'alert', at).toLowerCase()}.`,
          severity: pick(['high', 'low'], 'severity', at),
          ack: pick(['Y', 'N'], 'ack', at),
        };
      }),
    },
    window: { from: on(day - 28).day, to: on(day).day },
  };
}

const traits = [
  ['durable', 'positive', 'Reviewers call it built to last.'],
  ['expensive', 'negative', 'It costs more than similar choices.'],
  ['friendly staff', 'positive', 'People mention how kind the staff is.'],
  ['slow shipping', 'negative', 'Orders may take two weeks.'],
  ['well known', 'neutral', 'Most locals have heard of it.'],
] as const;

function perception({ day }: Ask<Firm>): unknown {
  return {
    atributos: clients.flatMap((firm) =>
      [firm.name, ...firm.rivals].flatMap((brand) =>
        traits.map(([trait, valence, quote]) => ({
          traitKey: `${firm.slug}:${brand}:${trait}`.toLowerCase().replaceAll(' ', '-'),
          forClient: { ref: firm.id, title: firm.name },
          subject: { name: brand, ours: brand === firm.name ? 1 : 0 },
          trait,
          valence,
          hits: whole(1, 60, 'hits', brand, trait) + day,
          quote,
          lang: 'en',
        })),
      ),
    ),
    factCheck: ['Prices', 'Locations', 'Policies'].map((topic) => ({
      topic,
      claims: range(1, 12).map((at) => claim(topic, at, day)),
    })),
  };
}

function claim(topic: string, at: number, day: number): unknown {
  const firm = pick(clients, 'claim', topic, at);
  const brand = isLikely(0.3, 'rival', topic, at) ? pick(firm.rivals, 'claim', topic, at) : firm.name;
  const isRight = isLikely(0.6, 'right', topic, at);
  return {
    brand,
    assertion: `${brand}: ${topic.toLowerCase()} as engines tell it, statement ${at}`,
    ruling: isRight ? 'supported' : pick(['contradicted', 'unverifiable'], 'ruling', topic, at),
    verifiedAt: on(day - whole(0, 3, 'verified', topic, at), whole(0, 300, topic, at)).local,
    reviewer: 'auto',
  };
}

function benchmark({ day }: Ask<Firm>): unknown {
  return {
    cortes: clients.flatMap((firm) =>
      [
        ['global', 'All brands'],
        ['industry', firm.sector],
        ['business type', firm.slug === 'harbor-pine' ? 'Online store' : 'Local business'],
        ['country', firm.country],
      ].map(([scope, segment]) => {
        const brands = whole(
          scope === 'global' ? 900 : 8,
          scope === 'global' ? 950 : 120,
          firm.slug,
          scope ?? '',
        );
        const isEnough = brands >= 20;
        return {
          brandName: firm.name,
          scope,
          segment,
          brandsCompared: brands,
          pctRank: isEnough ? whole(20, 96, 'rank', firm.slug, scope ?? '') + (day % 3) : null,
          p50: isEnough ? decimal(40, 60, 1, 'p50', scope ?? '', segment ?? '') : null,
          p90: isEnough ? decimal(75, 90, 1, 'p90', scope ?? '', segment ?? '') : null,
        };
      }),
    ),
    index: { edition: '2026-Q2', brandsTotal: 48_112 },
  };
}

export const rivalTruth: Truth = {
  'competitors.client': { paths: ['account_id'] },
  'competitors.name': { paths: ['company'] },
  'competitors.class': { paths: ['tier'] },
  'competitors.per_100': { paths: ['mentionsPer100', 'mentionsPer100 | point'] },
  'competitors.topics': { paths: ['themes', 'themes[].label'] },
  'competitors.share': { paths: ['shareOfVoice'] },
  'competitors.as_of': { paths: ['refreshed_at'] },
  'competitor_alerts.(rows)': { paths: ['alerts.items'] },
  'competitor_alerts.client': { paths: ['account_id'] },
  'competitor_alerts.date': { paths: ['raisedOn | mdy'] },
  'competitor_alerts.competitor': { paths: ['rival'] },
  'competitor_alerts.message': { paths: ['blurb'] },
  'perception.client': { paths: ['forClient.ref'] },
  'perception.brand': { paths: ['subject.name'] },
  'perception.attribute': { paths: ['trait'] },
  'perception.is_own': { paths: ['subject.ours'] },
  'perception.polarity': { paths: ['valence'] },
  'perception.mentions': { paths: ['hits'] },
  'perception.phrase': { paths: ['quote'] },
  'claims.(rows)': { paths: ['factCheck[].claims'] },
  'claims.brand': { paths: ['brand'] },
  'claims.claim': { paths: ['assertion'] },
  'claims.verdict': { paths: ['ruling'] },
  'claims.checked': { paths: ['verifiedAt'] },
  'benchmark.cut': { paths: ['scope'] },
  'benchmark.value': { paths: ['segment'] },
  'benchmark.brands': { paths: ['brandsCompared'] },
  'benchmark.percentile': { paths: ['pctRank'] },
  'benchmark.median': { paths: ['p50'] },
};
