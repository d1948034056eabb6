// The AI Rank now: `airank`, `rank2`, `visibility`, the public result and the forecast.
import { range, round } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { engines, type Firm, firms, methodOf, pillarScore, pillars, rankScore } from './firms.ts';
import { bigId, hex, isLikely, on, some, uuid, whole } from './kit.ts';

// The archive of measurements: each firm once a week, and now and then by hand.
interface Measurement {
  readonly id: string;
  readonly firm: Firm;
  /** Days since the first run date. */
  readonly offset: number;
  readonly isManual: boolean;
  /** Of today: has no result yet. */
  readonly isRunning: boolean;
  readonly isComparable: boolean;
  readonly reasons: readonly string[];
}

const oldest = -167;

/** Of all firms, newest first. */
const measurementsUpTo = (day: number): Measurement[] =>
  range(oldest, day)
    .reverse()
    .flatMap((offset) => firms.flatMap((firm, seat) => measurementsOn(firm, seat, offset, day)));

/** With a result, newest first. */
export const finishedUpTo = (day: number, firm?: Firm): Measurement[] =>
  measurementsUpTo(day).filter((one) => !one.isRunning && (firm === undefined || one.firm === firm));

function measurementsOn(firm: Firm, seat: number, offset: number, day: number): Measurement[] {
  const found: Measurement[] = [];
  if ((offset + seat + 700) % 7 === 0) {
    const isThin = isLikely(0.12, 'thin', firm.slug, offset);
    found.push({
      id: uuid('measurement', firm.slug, offset),
      firm,
      offset,
      isManual: false,
      isRunning: offset === day,
      isComparable: !isThin,
      reasons: isThin ? ['Fewer than 60 answers', 'Gemini did not respond'] : [],
    });
  }
  if (offset < 0 && isLikely(0.01, 'manual', firm.slug, offset)) {
    found.push({
      id: uuid('manual', firm.slug, offset),
      firm,
      offset,
      isManual: true,
      isRunning: false,
      isComparable: false,
      reasons: ['Started by hand'],
    });
  }
  return found;
}

// The AI Rank over time: `mediciones`, `airank/history`, `visibility/history`.
export const historyRoutes: Routes<Firm> = {
  mediciones: ({ day }) => ({
    measurements: measurementsUpTo(day).map(measurement),
    meta: { officialMethod: 'v2', weekStartsOn: 'Sunday', generatedAt: on(day, 30).utc },
  }),
  'airank/history': rankHistory,
  'visibility/history': visibilityHistory,
};

function measurement(one: Measurement): unknown {
  const { firm, offset, id } = one;
  const method = methodOf(offset);
  const score = one.isRunning ? null : rankScore(firm, offset, method);
  const startedMinutes = whole(0, 60, 'start', id);
  const seconds = whole(240, 1900, 'seconds', id);
  return {
    type: 'measurement',
    id,
    attributes: {
      started_at: on(offset, startedMinutes).utc,
      state: one.isRunning ? 'running' : 'completed',
      launched_by: one.isManual ? 'manual' : 'schedule',
      algo: method,
      ai_rank: score,
      provisional_rank: round((score ?? 50) - 1.7),
      trend_eligible: one.isComparable ? 'yes' : 'no',
      exclusion_notes: one.reasons,
      answers_discarded: whole(0, 6, 'discarded', id),
      engines_polled: some(engines, 0.8, 'polled', id).map((name) => ({ name, region: 'us-east' })),
      elapsed_seconds: one.isRunning ? null : seconds,
      build: `2026.${whole(1, 4, 'build', offset)}.${whole(0, 9, 'patch', offset)}`,
      digest: hex(20, 'digest', id),
    },
    relationships: { account: { data: { type: 'client', id: firm.id } } },
  };
}

function rankHistory({ day, query }: Ask<Firm>): unknown {
  const points = finishedUpTo(day).map(historyPoint);
  if (query.get('format') !== 'csv') return { data: points, officialMethod: 'v2', scale: 100 };
  const rows = points.map(({ pointId, measured, rank, ver, comparable, mode }) =>
    [pointId, measured, rank, ver, comparable, mode].join(','),
  );
  return ['pointId,measured,rank,ver,comparable,mode', ...rows].join('\n');
}

function historyPoint(one: Measurement) {
  const { firm, offset, id } = one;
  const method = methodOf(offset);
  return {
    pointId: bigId('point', id),
    org: { id: firm.id, name: firm.name },
    measured: on(offset).monthFirst,
    rank: rankScore(firm, offset, method).toFixed(1),
    shadowRank: rankScore(firm, offset, method === 'v1' ? 'v2' : 'v1').toFixed(1),
    ver: method,
    comparable: one.isComparable ? 1 : 0,
    mode: one.isManual ? 'one-off' : 'recurring',
    flags: one.reasons.map((text) => ({ code: hex(4, text), text })),
    n: whole(58, 140, 'answers', id),
    sampleHash: hex(12, 'sample', id),
  };
}

function visibilityHistory({ day, firm }: Ask<Firm>): unknown {
  return {
    client_id: firm.id,
    resolution: 'daily',
    puntos: range(-75, day)
      .reverse()
      .map((offset) => {
        const method = methodOf(offset);
        const score = rankScore(firm, offset, method);
        return {
          ts: on(offset, whole(0, 45, 'ts', firm.slug, offset)).epochSeconds,
          idx: score,
          meth: method,
          like_for_like: !isLikely(0.08, 'fair', firm.slug, offset),
          n: whole(80, 160, 'n', firm.slug, offset),
          ci: [round(score - 2.4), round(score + 2.4)],
          ma7: round(score - 0.6 + whole(0, 12, 'ma', firm.slug, offset) / 10),
          schema_rev: 7,
        };
      }),
  };
}

export const historyTruth: Truth = {
  'measurements.client': { paths: ['relationships.account.data.id'] },
  'measurements.id': { paths: ['id'] },
  'measurements.date': { paths: ['attributes.started_at'] },
  'measurements.measured_at': { paths: ['attributes.started_at'] },
  'measurements.method': { paths: ['attributes.algo'] },
  'measurements.score': { paths: ['attributes.ai_rank'] },
  'measurements.comparable': { paths: ['attributes.trend_eligible'] },
  'measurements.kind': { paths: ['attributes.launched_by'] },
  'measurements.reasons': { paths: ['attributes.exclusion_notes'] },
  'measurements.status': { paths: ['attributes.state'] },
  'measurements.engines': { paths: ['attributes.engines_polled', 'attributes.engines_polled[].name'] },
  'rank_history.client': { paths: ['org.id'] },
  'rank_history.id': { paths: ['pointId'] },
  'rank_history.date': { paths: ['measured | mdy'] },
  'rank_history.method': { paths: ['ver'] },
  'rank_history.score': { paths: ['rank', 'rank | point'] },
  'rank_history.comparable': { paths: ['comparable'] },
  'rank_history.kind': { paths: ['mode'] },
  'rank_history.reasons': { paths: ['flags', 'flags[].text'] },
  'visibility_history.date': { paths: ['ts'] },
  'visibility_history.measured_at': { paths: ['ts'] },
  'visibility_history.method': { paths: ['meth'] },
  'visibility_history.score': { paths: ['idx'] },
  'visibility_history.comparable': { paths: ['like_for_like'] },
};

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
