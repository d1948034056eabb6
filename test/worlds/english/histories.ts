// The AI Rank over time: `mediciones`, `airank/history`, `visibility/history`.

import { range, round } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { engines, type Firm, methodOf, rankScore } from './firms.ts';
import { bigId, hex, isLikely, on, some, whole } from './kit.ts';
import { finishedUpTo, type Measurement, measurementsUpTo } from './measurements.ts';

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
