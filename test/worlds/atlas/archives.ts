// The clients, and what was measured when.

import { grouped } from '../kit.ts';
import { at, dayFirst, list } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import {
  agency,
  caveatsOf,
  engines,
  type Firm,
  firms,
  ofFirms,
  pillarsOf,
  placeOf,
  rankOf,
  slugOf,
  weeks,
} from './firms.ts';
import { decimal, guid, hex, isLikely, on, some, whole, yesNo } from './kit.ts';

const client = (firm: Firm, index: number, day: number) => ({
  clientNumber: firm.id,
  tradingName: firm.name,
  primaryDomain: firm.domain,
  standing: index === 4 && day > 0 ? 'ON_HOLD' : 'ACTIVE',
  industry: { code: slugOf(firm.sector).toUpperCase().replaceAll('-', '_'), label: firm.sector },
  address: {
    line1: `${whole(2, 180, firm.id, 'door')} High Street`,
    town: firm.town,
    countryCode: firm.country,
  },
  billing: {
    currency: firm.currency,
    paymentTermsDays: 30,
    vatNumber: `${firm.country}${whole(1e8, 9e8, firm.id)}`,
  },
  onboardedOn: on(-400 - index * 47).spelled,
  lastModifiedUtc: on(day - index).utc,
  relationshipManager: index % 2 === 0 ? 'P. Okafor' : 'S. Whitcombe',
  promptAllowance: 24,
  eTag: hex(12, firm.id, day),
  _links: { self: { href: `/clients/${firm.id}` } },
});

/** One a week, and one each run date. */
const historyPoint = (firm: Firm, day: number) => ({
  '@odata.id': `AiRankHistory('${firm.id}-${day}')`,
  PointId: 500_000 + Number(firm.id.slice(2)) * 100 + day,
  ClientNumber: firm.id,
  ObservedOn: on(day).dayFirst,
  MethodVersion: day < -70 ? 'v1' : 'v2',
  AiRank: rankOf(firm, day, day < -70 ? 'v1' : 'v2'),
  SmoothedValue: rankOf(firm, day - 1),
  Comparable: yesNo(caveatsOf(firm, day).length === 0),
  RunType: isLikely(0.1, firm.id, 'adhoc', day) ? 'AD_HOC' : 'SCHEDULED',
  Caveats: caveatsOf(firm, day).map(({ code }) => code),
  Place: placeOf(firm, day),
  CohortSize: 64,
  RowVersion: hex(8, firm.id, 'row', day),
});

const visibilityPoint = (firm: Firm, day: number) => ({
  asAt: on(day).spelled,
  capturedAt: on(day, whole(-100, 100, firm.id, 'captured', day)).epochMs,
  method: day < -70 ? 'v1' : 'v2',
  officialRank: rankOf(firm, day, day < -70 ? 'v1' : 'v2'),
  shareOfVoice: decimal(0.08, 0.3, 3, firm.id, 'voice', day),
  isComparable: caveatsOf(firm, day).length === 0,
  remarks: caveatsOf(firm, day).map(({ remark }) => remark),
  placing: placeOf(firm, day),
  pillars: pillarsOf(firm, day),
});

export const measurementId = (firm: Firm, day: number): string => guid(firm.id, 'measurement', day);

function measurement(firm: Firm, day: number) {
  const isFailed = isLikely(0.08, firm.id, 'failed', day);
  const elapsedMs = whole(180_000, 900_000, firm.id, 'elapsed', day);
  const startedAt = on(day, whole(-180, 120, firm.id, 'start', day)).epochMs;
  const caveats = caveatsOf(firm, day);
  return {
    measurementId: measurementId(firm, day),
    client: { id: firm.id, name: firm.name },
    startedAt,
    completedAt: startedAt + elapsedMs,
    state: isFailed ? 'FAILED' : 'COMPLETED',
    methodVersion: day < -70 ? 'v1' : 'v2',
    result: {
      aiRank: isFailed ? null : rankOf(firm, day, day < -70 ? 'v1' : 'v2'),
      dataQuality: decimal(80, 99, 1, firm.id, 'quality', day),
    },
    eligibleForTrend: yesNo(caveats.length === 0),
    runType: caveats[0]?.code === 'AD_HOC_RUN' ? 'AD_HOC' : 'SCHEDULED',
    ineligibilityReasons: caveats.map(({ code }) => code),
    answersCollected: grouped(whole(700, 2400, firm.id, 'answers', day)),
    answersDiscarded: whole(0, 40, firm.id, 'discarded', day),
    elapsedMs,
    enginesPolled: some(engines, 0.8, firm.id, 'engines', day).map(([code, label]) => ({ code, label })),
    workerNode: `wrk-${whole(1, 9, firm.id, 'worker', day)}`,
  };
}

function csvOf(points: readonly ReturnType<typeof historyPoint>[]): string {
  const rows = points.map((point) =>
    [point.PointId, point.ClientNumber, point.ObservedOn, point.MethodVersion, point.AiRank].join(','),
  );
  return ['PointId,ClientNumber,ObservedOn,MethodVersion,AiRank', ...rows].join('\n');
}

export const archiveRoutes: Routes<Firm> = {
  clientes: ({ day }) => ({
    items: firms.map((firm, index) => client(firm, index, day)),
    totalItems: firms.length,
    _links: { self: { href: '/api/v1/clientes' } },
  }),
  'airank/history': ({ query, day }) => {
    const points = [agency, ...firms].flatMap((firm) =>
      weeks(16, day).map((date) => historyPoint(firm, date)),
    );
    if (query.get('format') === 'csv') return csvOf(points);
    return { '@odata.context': '$metadata#AiRankHistory', '@odata.count': points.length, value: points };
  },
  'visibility/history': ({ firm, day }) => ({
    clientNumber: firm.id,
    granularity: 'WEEKLY',
    puntos: weeks(26, day).map((date) => visibilityPoint(firm, date)),
  }),
  mediciones: ({ day }) => ({
    value: ofFirms((firm) => weeks(18, day).map((date) => measurement(firm, date))),
    retentionDays: 730,
  }),
};

export const archiveTruth: Truth = {
  'clients.id': at('clientNumber'),
  'clients.name': at('tradingName'),
  'clients.domain': at('primaryDomain'),
  'clients.status': at('standing'),
  'clients.sector': at('industry.label', 'industry.code', 'industry'),
  'clients.country': at('address.countryCode'),
  'clients.city': at('address.town'),
  'clients.currency': at('billing.currency'),
  'clients.created': at('onboardedOn'),
  'rank_history.client': at('ClientNumber'),
  'rank_history.id': at('PointId'),
  'rank_history.date': dayFirst('ObservedOn'),
  'rank_history.method': at('MethodVersion'),
  'rank_history.score': at('AiRank'),
  'rank_history.comparable': at('Comparable'),
  'rank_history.kind': at('RunType'),
  'rank_history.reasons': list('Caveats'),
  'rank_history.position': at('Place'),
  'visibility_history.date': at('asAt', 'capturedAt'),
  'visibility_history.measured_at': at('capturedAt'),
  'visibility_history.method': at('method'),
  'visibility_history.score': at('officialRank'),
  'visibility_history.comparable': at('isComparable'),
  'visibility_history.reasons': list('remarks'),
  'visibility_history.position': at('placing'),
  'visibility_history.dimensions': at('pillars'),
  'measurements.client': at('client.id'),
  'measurements.id': at('measurementId'),
  'measurements.date': at('startedAt', 'completedAt'),
  'measurements.measured_at': at('startedAt'),
  'measurements.method': at('methodVersion'),
  'measurements.score': at('result.aiRank'),
  'measurements.comparable': at('eligibleForTrend'),
  'measurements.kind': at('runType'),
  'measurements.reasons': list('ineligibilityReasons'),
  'measurements.status': at('state'),
  'measurements.answers': at('answersCollected | point'),
  'measurements.duration_ms': at('elapsedMs'),
  'measurements.engines': list('enginesPolled', 'label', 'code'),
};
