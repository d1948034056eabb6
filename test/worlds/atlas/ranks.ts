// The AI Rank now, by method, and what is said of its future.

import { range, round } from '../kit.ts';
import { at, dayFirst, list, percent } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, caveatsOf, type Firm, firms, pillarsOf, placeOf, rankOf } from './firms.ts';
import { decimal, guid, hex, on, whole, yesNo } from './kit.ts';

const bandOf = (score: number): string => (score >= 60 ? 'STRONG' : score >= 45 ? 'FAIR' : 'WEAK');

function rankBody(firm: Firm, day: number) {
  const score = rankOf(firm, day);
  const caveats = caveatsOf(firm, day);
  return {
    resourceType: 'AiRankResult',
    schemaVersion: '1.4',
    rankResult: {
      resultId: guid(firm.id, 'rank', day),
      clientNumber: firm.id,
      displayName: firm.name,
      headline: {
        aiRank: score,
        band: bandOf(score),
        changeOnPrior: round(score - rankOf(firm, day - 1)),
        rawCompositeIndex: whole(480, 720, firm.id, 'raw', day),
      },
      methodology: { version: 'v2', label: 'Panel method', effectiveFrom: '2026-02-01' },
      runType: caveats[0]?.code === 'AD_HOC_RUN' ? 'AD_HOC' : 'SCHEDULED',
      comparability: { comparable: yesNo(caveats.length === 0), caveats },
      assessedAt: on(day, whole(-200, 200, firm.id, 'at', day)).local,
      nextAssessmentDue: on(day + 1).day,
      standing: { place: placeOf(firm, day), outOf: 64 },
      pillars: pillarsOf(firm, day),
    },
    links: [{ rel: 'self', href: '/api/v1/airank' }],
  };
}

/** A result that was made public, by its id. */
export function publicRank(id: string, day: number): unknown {
  for (const firm of [agency, ...firms]) {
    for (const date of range(0, day)) {
      const body = rankBody(firm, date);
      if (body.rankResult.resultId === id) return body;
    }
  }
  return undefined;
}

function visibilityBody(firm: Firm, day: number) {
  // One client stays on the old method.
  const method = firm.id === 'C-41190' ? 'v1' : 'v2';
  const caveats = caveatsOf(firm, day);
  return {
    clientRef: firm.id,
    tradingName: firm.name,
    official: {
      method,
      aiRank: rankOf(firm, day, method),
      asAt: on(day).dayFirst,
      isComparable: caveats.length === 0,
      reasons: caveats.map(({ remark }) => remark),
      place: placeOf(firm, day),
    },
    methodVersions: {
      v1: { aiRank: rankOf(firm, day, 'v1'), asAt: on(day - 3).dayFirst, isComparable: true },
      v2: { aiRank: rankOf(firm, day), asAt: on(day).dayFirst, isComparable: caveats.length === 0 },
    },
    peerAverage: decimal(40, 52, 1, firm.id, 'peers', day),
    dimensions: Object.entries(pillarsOf(firm, day)).map(([name, score]) => ({ name, score, weight: 0.25 })),
    _links: { self: { href: '/api/v1/visibility' }, history: { href: '/api/v1/visibility/history' } },
  };
}

function secondRank(firm: Firm, day: number) {
  const central = round(rankOf(firm, day) - 2.5);
  return {
    subject: { clientNumber: firm.id, tradingName: firm.name },
    modelBuild: '2026.05.1',
    computedAt: on(day, 45).utc,
    estimate: {
      rankScore: central,
      credibleInterval: [round(central - 4.2), round(central + 3.9)],
      credibility: 0.9,
    },
    marketIndex: decimal(92, 118, 1, firm.id, 'index', day),
    placing: { place: placeOf(firm, day), outOf: 64 },
    contentHash: hex(16, firm.id, 'rank2', day),
  };
}

function forecast(firm: Firm, day: number) {
  const points = [7, 14, 30, 60, 90].map((horizon) => {
    const central = round(rankOf(firm, day) + horizon * 0.03);
    return [
      on(day + horizon).day,
      {
        horizonDays: horizon,
        predictedRank: central,
        lowerBound: round(central - 1 - horizon * 0.06),
        upperBound: round(central + 1 + horizon * 0.06),
        certainty: `${90 - horizon / 2} %`,
      },
    ] as const;
  });
  return {
    target: 'AI_RANK',
    modelName: 'holt-winters',
    modelVersion: 12,
    generatedOn: on(day).dayFirst,
    trend: 'RISING',
    meanAbsoluteError: decimal(1.4, 2.6, 2, 'mae', day),
    forecast: Object.fromEntries(points),
  };
}

export const rankRoutes: Routes<Firm> = {
  airank: ({ firm, day }) => rankBody(firm, day),
  visibility: ({ firm, day }) => visibilityBody(firm, day),
  rank2: ({ firm, day }) => secondRank(firm, day),
  prediccion: ({ firm, day }) => forecast(firm, day),
};

export const rankTruth: Truth = {
  'rank_now.client': at('rankResult.clientNumber'),
  'rank_now.id': at('rankResult.resultId'),
  'rank_now.name': at('rankResult.displayName'),
  'rank_now.date': at('rankResult.assessedAt'),
  'rank_now.measured_at': at('rankResult.assessedAt'),
  'rank_now.method': at('rankResult.methodology.version'),
  'rank_now.score': at('rankResult.headline.aiRank'),
  'rank_now.comparable': at('rankResult.comparability.comparable'),
  'rank_now.kind': at('rankResult.runType'),
  'rank_now.reasons': list('rankResult.comparability.caveats', 'code', 'remark'),
  'rank_now.position': at('rankResult.standing.place'),
  'rank_now.dimensions': at('rankResult.pillars'),
  'visibility_now.client': at('clientRef'),
  'visibility_now.name': at('tradingName'),
  'visibility_now.date': dayFirst('official.asAt'),
  'visibility_now.method': at('official.method'),
  'visibility_now.score': at('official.aiRank'),
  'visibility_now.comparable': at('official.isComparable'),
  'visibility_now.reasons': list('official.reasons'),
  'visibility_now.position': at('official.place'),
  'visibility_now.dimensions': at('dimensions'),
  'visibility_now.v1_score': at('methodVersions.v1.aiRank'),
  'visibility_now.v1_date': dayFirst('methodVersions.v1.asAt'),
  'visibility_now.v1_comparable': at('methodVersions.v1.isComparable'),
  'visibility_now.v2_score': at('methodVersions.v2.aiRank'),
  'visibility_now.v2_date': dayFirst('methodVersions.v2.asAt'),
  'visibility_now.v2_comparable': at('methodVersions.v2.isComparable'),
  'rank2.client': at('subject.clientNumber'),
  'rank2.date': at('computedAt'),
  'rank2.measured_at': at('computedAt'),
  'rank2.score': at('estimate.rankScore'),
  'rank2.lower': at('estimate.credibleInterval[0]', 'estimate.credibleInterval | first'),
  'rank2.upper': at(
    'estimate.credibleInterval[1]',
    'estimate.credibleInterval[-1]',
    'estimate.credibleInterval | last',
  ),
  'rank2.position': at('placing.place'),
  'rank2.index': at('marketIndex'),
  'predictions.(rows)': at('forecast.*'),
  'predictions.date': at('@key'),
  'predictions.score': at('predictedRank'),
  'predictions.lower': at('lowerBound'),
  'predictions.upper': at('upperBound'),
  'predictions.horizon_days': at('horizonDays'),
  'predictions.confidence': percent('certainty'),
  'predictions.made': dayFirst('^generatedOn'),
  'predictions.method': at('^modelName'),
  'predictions.trend': at('^trend'),
};
