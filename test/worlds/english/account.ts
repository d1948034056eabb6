// What an agency has: `clientes`, `respuestas`, `citas`, `acciones`.

import { grouped, range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { actionsUpTo } from './actions.ts';
import { clients, engines, type Firm, firms, questionsOf } from './firms.ts';
import { bigId, hex, isLikely, on, pick, uuid, whole } from './kit.ts';
import { finishedUpTo } from './ranks.ts';

export const accountRoutes: Routes<Firm> = {
  clientes: ({ day }) => ({ clients: clients.map((firm) => client(firm, day)), seatsUsed: 14 }),
  respuestas: answers,
  citas: cites,
  acciones: ({ day }) => ({
    acciones: actionsUpTo(day).map((action) => ({
      ref: action.id,
      headline: action.title,
      orgId: action.firm.id,
      stage: action.status,
      effort: pick(['S', 'M', 'L'], 'effort', action.id),
      assignee: pick(['dana', 'luis', 'priya'], 'assignee', action.id),
      touched: on(Math.min(day, action.offset + 6)).utc,
    })),
  }),
};

function client(firm: Firm, day: number): unknown {
  return {
    accountId: firm.id,
    displayName: firm.name,
    legalName: `${firm.name}, ${firm.country === 'CA' ? 'Ltd.' : 'LLC'}`,
    website: firm.domain,
    lifecycle: firm.slug === 'tidewater' && day > 0 ? 'paused' : 'active',
    vertical: firm.sector,
    address: { stateCode: firm.state, zip: String(whole(10000, 99999, firm.slug)) },
    billing: { currency: firm.currency, plan: pick(['growth', 'scale'], firm.slug), mrr: '$1,250.00' },
    onboarded: firm.joined,
    panelSize: whole(36, 48, 'panel', firm.slug),
    crmRef: hex(10, 'crm', firm.slug),
    csm: pick(['Dana W.', 'Luis P.'], 'csm', firm.slug),
  };
}

const perDay = 12;

function answers({ day, query }: Ask<Firm>): unknown {
  const isFull = query.get('texto') === '1';
  const archive = finishedUpTo(day);
  const results = range(-17, day)
    .reverse()
    .flatMap((offset) => {
      const measurement = archive.find((one) => one.offset < offset);
      if (measurement === undefined) return [];
      return range(1, perDay).map((at) => answer(measurement.id, measurement.firm, offset, at, isFull));
    });
  return { results, count: results.length, textTruncated: !isFull };
}

function answer(measurementId: string, firm: Firm, offset: number, at: number, isFull: boolean): unknown {
  const seed = [measurementId, offset, at] as const;
  const question = pick(questionsOf(firm, 8), 'asked', ...seed);
  const isSeen = isLikely(0.55, 'seen', ...seed);
  const rival = pick(firm.rivals, 'rival', ...seed);
  const body = isSeen
    ? `Several options stand out. ${firm.name} comes up often, and ${rival} is worth a look for ${question.topic.toLowerCase()}.`
    : `Most people start with ${rival}. For ${question.topic.toLowerCase()}, compare prices and read recent reviews.`;
  const platform = pick(engines, 'platform', ...seed);
  return {
    answer_uid: uuid('answer', ...seed),
    run: { id: measurementId, seq: at },
    tenant_id: firm.id,
    captured: on(offset, at * 7).epochMs,
    expires: on(offset + 365).epochMs,
    platform,
    llm: pick(modelsOf(platform), 'llm', ...seed),
    query: question.text,
    brand_seen: isSeen ? 'Y' : 'N',
    rival_seen: 'Y',
    slot: isSeen ? whole(1, 6, 'slot', ...seed) : null,
    body: isFull ? body : `${body.slice(0, 40)}…`,
    tokens: whole(120, 900, 'tokens', ...seed),
    latency_ms: whole(800, 9000, 'latency', ...seed),
    body_sha1: hex(40, 'body', ...seed),
  };
}

const modelsOf = (platform: string): readonly string[] =>
  platform === 'ChatGPT'
    ? ['gpt-5.2', 'gpt-5-mini']
    : platform === 'Gemini'
      ? ['gemini-3-pro']
      : platform === 'Claude'
        ? ['claude-opus-4.5', 'claude-sonnet-4.5']
        : [`${platform.toLowerCase()}-default`];

/** The body is the list. */
function cites({ day }: Ask<Firm>): unknown {
  return firms.flatMap((firm) =>
    range(1, 14).map((at) => ({
      cite_id: bigId('cite', firm.slug, at),
      tenant_id: firm.id,
      link: `https://www.${firm.domain}/guides/${at}`,
      times: grouped(whole(2, 60, 'times', firm.slug, at) + day),
      spotted: on(-whole(1, 90, 'spotted', firm.slug, at)).yearFirst,
    })),
  );
}

export const accountTruth: Truth = {
  'clients.id': { paths: ['accountId'] },
  'clients.name': { paths: ['displayName'] },
  'clients.domain': { paths: ['website'] },
  'clients.status': { paths: ['lifecycle'] },
  'clients.sector': { paths: ['vertical'] },
  'clients.currency': { paths: ['billing.currency'] },
  // No day is over 12, and nothing else in the list tells which part comes first.
  'clients.created': { paths: ['onboarded | mdy'], isDoubtful: true },
  'answers.client': { paths: ['tenant_id'] },
  'answers.id': { paths: ['answer_uid'] },
  'answers.measurement_id': { paths: ['run.id'] },
  'answers.answered_at': { paths: ['captured'] },
  'answers.date': { paths: ['captured'] },
  'answers.engine': { paths: ['platform'] },
  'answers.model': { paths: ['llm'] },
  'answers.question': { paths: ['query'] },
  'answers.is_mentioned': { paths: ['brand_seen'] },
  'answers.position': { paths: ['slot'] },
  'answers.answer': { paths: ['body'] },
  'citas.client': { paths: ['tenant_id'] },
  'citas.id': { paths: ['cite_id'] },
  'citas.date': { paths: ['spotted'] },
  'citas.url': { paths: ['link'] },
  'acciones.client': { paths: ['orgId'] },
  'acciones.id': { paths: ['ref'] },
  'acciones.title': { paths: ['headline'] },
  'acciones.status': { paths: ['stage'] },
};
