// The AI Rank now: `airank`, `rank2`, `visibility`, the public result and the forecast.

import { range, round } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { type Firm, firms, pillarScore, pillars, rankScore } from './firms.ts';
import { hex, on, whole } from './kit.ts';
import { finishedUpTo } from './measurements.ts';

export const rankRoutes: Routes<Firm> = {
  airank: ({ day, firm }) => latestRank(firm, day),
  rank2,
  visibility,
  prediccion: forecast,
};

/** `airank/:id`: the newest result of a firm, by its public name. */
export function publicRank(slug: string, day: number): unknown {
  const firm = firms.find((one) => one.slug === slug);
  return firm === undefined ? undefined : latestRank(firm, day);
}

const lettersOf = (score: number): string => (score > 65 ? 'A' : score > 50 ? 'B' : 'C');

function latestRank(firm: Firm, day: number): unknown {
  const [newest] = finishedUpTo(day, firm);
  if (newest === undefined) return undefined;
  const { offset } = newest;
  const score = rankScore(firm, offset, 'v2');
  return {
    object: 'rank_result',
    resultId: `rk_${hex(12, 'result', newest.id)}`,
    account: { id: firm.id, label: firm.name },
    index: {
      value: score,
      outOf: 100,
      grade: lettersOf(score),
      rawComposite: round(score / 100 + 0.021, 4),
    },
    methodology: 'v2',
    computedAt: on(offset, 40 + whole(0, 90, newest.id)).local,
    isComparable: newest.isComparable ? 'yes' : 'no',
    caveats: newest.reasons,
    standing: { place: whole(1, 9, 'place', firm.slug, offset), of: 27 },
    pillars: Object.fromEntries(
      pillars.map((pillar) => [pillar.toLowerCase(), pillarScore(firm, offset, pillar)]),
    ),
    engineVersion: '4.12.0',
    checksum: hex(16, 'checksum', newest.id),
    cachedUntil: on(day, 720).utc,
  };
}

function rank2({ day, firm }: Ask<Firm>): unknown {
  return {
    data: { type: 'rank2', id: firm.slug, attributes: { score: rankScore(firm, day, 'v2'), method: 'v2' } },
    meta: { generated_at: on(day, 15).utc, spec: '2.1' },
  };
}

function visibility({ day, firm }: Ask<Firm>): unknown {
  // One client has not moved to the second method.
  const official = firm.slug === 'tidewater' ? 'v1' : 'v2';
  const version = (method: string, lag: number) => ({
    score: rankScore(firm, day - lag, method),
    asOf: on(day - lag).spelled,
    sampleSize: whole(80, 160, method, firm.slug, day - lag),
  });
  return {
    clientId: firm.id,
    clientName: firm.name,
    official: {
      method: official,
      score: rankScore(firm, day, official),
      measuredAt: on(day, whole(0, 50, firm.slug, day)).epochMs,
      comparable: official === 'v2' ? 'Y' : 'N',
    },
    versions: { v1: version('v1', official === 'v1' ? 0 : 6), v2: version('v2', 0) },
    explanation:
      official === 'v2' ? ['Weekly panel complete'] : ['Panel changed in March', 'Two engines only'],
    components: pillars.map((pillar) => ({
      key: pillar.toLowerCase(),
      label: pillar,
      points: pillarScore(firm, day, pillar),
      weight: 0.25,
    })),
    uiHints: { color: '#2f7d6b', showBadge: true },
    revision: day + 118,
  };
}

/** A week is the key of its entry. */
function forecast({ day, firm }: Ask<Firm>): unknown {
  const weeks = range(1, 8).map((week) => {
    const mid = round(rankScore(firm, day, 'v2') + week * 0.4);
    return [on(14 + week * 7).day, { mid, band: [round(mid - week), round(mid + week)], runs: 500 }];
  });
  return {
    modelName: 'holt-winters',
    issued: on(day).yearFirst,
    trainedThrough: on(day - 1).yearFirst,
    confidenceLevel: 0.8,
    seed: 20260420,
    forecast: Object.fromEntries(weeks),
  };
}

export const rankTruth: Truth = {
  'rank_now.client': { paths: ['account.id'] },
  'rank_now.id': { paths: ['resultId'] },
  'rank_now.date': { paths: ['computedAt'] },
  'rank_now.measured_at': { paths: ['computedAt'] },
  'rank_now.method': { paths: ['methodology'] },
  'rank_now.score': { paths: ['index.value'] },
  'rank_now.comparable': { paths: ['isComparable'] },
  'rank_now.reasons': { paths: ['caveats'] },
  'rank_now.position': { paths: ['standing.place'] },
  'rank_now.dimensions': { paths: ['pillars'] },
  'rank_now.name': { paths: ['account.label'] },
  'rank2.date': { paths: ['meta.generated_at'] },
  'rank2.measured_at': { paths: ['meta.generated_at'] },
  'rank2.score': { paths: ['data.attributes.score'] },
  'visibility_now.client': { paths: ['clientId'] },
  'visibility_now.name': { paths: ['clientName'] },
  'visibility_now.date': { paths: ['official.measuredAt'] },
  'visibility_now.measured_at': { paths: ['official.measuredAt'] },
  'visibility_now.method': { paths: ['official.method'] },
  'visibility_now.score': { paths: ['official.score'] },
  'visibility_now.comparable': { paths: ['official.comparable'] },
  'visibility_now.reasons': { paths: ['explanation'] },
  'visibility_now.dimensions': { paths: ['components'] },
  'visibility_now.v1_score': { paths: ['versions.v1.score'] },
  'visibility_now.v1_date': { paths: ['versions.v1.asOf'] },
  'visibility_now.v2_score': { paths: ['versions.v2.score'] },
  'visibility_now.v2_date': { paths: ['versions.v2.asOf'] },
  'predictions.(rows)': { paths: ['forecast.*'] },
  'predictions.date': { paths: ['@key'] },
  'predictions.score': { paths: ['mid'] },
  'predictions.lower': { paths: ['band[0]'] },
  'predictions.upper': { paths: ['band[1]'] },
  'predictions.made': { paths: ['^issued'] },
  'predictions.method': { paths: ['^modelName'] },
  'predictions.confidence': { paths: ['^confidenceLevel'] },
};
