// The agent: what it decided, ran and remembers, and what set it off.

import { range } from '../kit.ts';
import { at, dayFirst, list } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms, ofFirms } from './firms.ts';
import { decimal, guid, hex, isLikely, on, pick, whole } from './kit.ts';

const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'];
const levers = ['CONTENT', 'CITATIONS', 'REVIEWS', 'TECHNICAL'];

function memory(firm: Firm, index: number, day: number) {
  const id = guid(firm.id, 'memory', index);
  const decided = -whole(2, 90, id, 'decided');
  const isObserved = decided + 21 <= day;
  return {
    entryId: id,
    clientNumber: firm.id,
    decidedOn: on(decided).dayFirst,
    decision: pick(decisions, id, 'decision'),
    lever: pick(levers, id, 'lever'),
    expectation: {
      direction: pick(['UP', 'UP', 'FLAT', 'DOWN'], id, 'direction'),
      points: decimal(-1, 5, 1, id, 'expected'),
    },
    observation: isObserved
      ? { points: decimal(-2, 6, 1, id, 'observed'), observedOn: on(decided + 21).dayFirst }
      : null,
    verdict: isObserved ? pick(['CONFIRMED', 'REFUTED', 'UNCLEAR'], id, 'verdict') : 'PENDING',
    policyVersion: '3.2',
    embeddingHash: hex(12, id, 'embedding'),
  };
}

function run(firm: Firm, offset: number) {
  const id = guid(firm.id, 'run', offset);
  const minutes = whole(-120, 60, id, 'start');
  const decision = pick(decisions, id, 'decision');
  return {
    runId: id,
    clientRef: firm.id,
    triggeredBy: pick(['SCHEDULE', 'TRIGGER'], id, 'by'),
    startedAt: on(offset, minutes).local,
    finishedAt: on(offset, minutes + whole(2, 40, id, 'length')).local,
    runState: isLikely(0.92, id, 'state') ? 'SUCCEEDED' : 'FAILED',
    decision,
    summary: `Looked at ${pick(firm.topics, id)} and decided ${decision.toLowerCase().replaceAll('_', ' ')}.`,
    toolCallCount: whole(3, 30, id, 'calls'),
    cost: { value: decimal(0.02, 0.9, 2, id, 'cost'), currency: 'USD' },
  };
}

const runs = (day: number) =>
  [-6, -5, -4, -3, -2, -1, ...range(0, day)].flatMap((at) => firms.map((firm) => run(firm, at)));

function trace(id: string, day: number): unknown {
  const found = runs(day).find(({ runId }) => runId === id);
  if (found === undefined) return undefined;
  return {
    ...found,
    events: range(1, 4).map((step) => ({
      sequence: step,
      name: pick(['READ', 'COMPARE', 'DECIDE'], id, step),
    })),
    hypotheses: [{ statement: 'Rivals have newer guides.', likelihood: decimal(0.3, 0.9, 2, id, 'likely') }],
    policy: { name: 'cautious', dryRun: true },
  };
}

function state(day: number) {
  const taken = on(day, -90);
  return {
    agentState: 'ACTIVE',
    asAt: on(day).utc,
    lastDecision: {
      outcome: pick(decisions, 'state', day),
      decidedAt: taken.local,
      runId: guid(firms[0]?.id ?? '', 'run', day),
      rationale: ['Presence fell in two engines.', `The gap is ${whole(4, 12, 'gap', day)} prompts wide.`],
      counterArguments: ['The panel changed last month.'],
    },
    pendingApprovals: range(1, 2).map((index) => ({
      approvalId: `APR-${index}`,
      requestedOn: on(-index).spelled,
    })),
    autonomy: { level: 'SUPERVISED', maximumActionsPerWeek: 5 },
    learningPerLever: levers.map((lever) => ({
      lever,
      confirmed: whole(1, 9, lever),
      refuted: whole(0, 4, lever),
    })),
  };
}

const triggerNames = [
  'RANK_DROP',
  'RANK_RISE',
  'PRESENCE_DROP',
  'NEW_RIVAL',
  'RIVAL_OVERTAKES',
  'CITATION_LOST',
  'CITATION_GAINED',
  'CRAWL_ERRORS',
  'BOT_BLOCKED',
  'CLAIM_CONTRADICTED',
  'SENTIMENT_DROP',
  'PRICE_MISMATCH',
  'PRODUCT_LOST',
  'DEMAND_SPIKE',
  'REVENUE_DROP',
  'PANEL_STALE',
];

function fired(firm: Firm, offset: number) {
  const id = hex(12, firm.id, 'fired', offset);
  const before = decimal(30, 60, 1, id, 'before');
  return {
    logEntryId: id,
    client: firm.id,
    triggerName: pick(triggerNames, id, 'name'),
    firedAt: on(offset, whole(-150, 150, id, 'at')).epochMs,
    expiresAt: on(offset + 30).epochMs,
    reading: {
      valueBefore: before,
      valueAfter: Number((before - decimal(3, 15, 1, id, 'after')).toFixed(1)),
      threshold: whole(2, 6, id, 'threshold'),
    },
    responseTaken: pick(['Client notified', 'Action raised', 'Nothing, duplicate'], id, 'response'),
    severity: pick(['INFO', 'WARNING'], id, 'severity'),
  };
}

export const agentRoutes: Routes<Firm> = {
  'agent/memory': ({ day }) => ({
    entradas: ofFirms((firm) => range(1, 12 + day).map((index) => memory(firm, index, day))),
  }),
  'agent/os': ({ day }) => state(day),
  'agent/runs': ({ query, day }) => {
    const id = query.get('id');
    return id === null
      ? { runs: runs(day), _links: { self: { href: '/api/v1/agent/runs' } } }
      : trace(id, day);
  },
  triggers: ({ day }) => ({
    registros: range(-9, day).flatMap((at) => firms.map((firm) => fired(firm, at))),
    configuration: triggerNames.map((name, index) => ({
      name,
      enabled: index % 5 !== 0,
      threshold: 2 + (index % 5),
    })),
  }),
  ask: ({ query, day }) => ({
    question: query.get('pregunta') ?? '',
    reply: `The AI Rank moved by ${decimal(-2, 2, 1, 'reply', day)} points this week.`,
    basedOn: [{ resource: 'AiRankResult', asAt: on(day).dayFirst }],
  }),
};

export const agentTruth: Truth = {
  'agent_memory.client': at('clientNumber'),
  'agent_memory.id': at('entryId'),
  'agent_memory.date': dayFirst('decidedOn'),
  'agent_memory.decision': at('decision'),
  'agent_memory.lever': at('lever'),
  'agent_memory.expected_direction': at('expectation.direction'),
  'agent_memory.expected_points': at('expectation.points'),
  'agent_memory.observed_points': at('observation.points'),
  'agent_memory.observed_on': dayFirst('observation.observedOn'),
  'agent_memory.verdict': at('verdict'),
  'agent_state.status': at('agentState'),
  'agent_state.decision': at('lastDecision.outcome'),
  'agent_state.date': at('lastDecision.decidedAt'),
  'agent_state.run_id': at('lastDecision.runId'),
  'agent_state.why': list('lastDecision.rationale'),
  'agent_state.why_not': list('lastDecision.counterArguments'),
  'agent_runs.client': at('clientRef'),
  'agent_runs.id': at('runId'),
  'agent_runs.started_at': at('startedAt'),
  'agent_runs.finished_at': at('finishedAt'),
  'agent_runs.status': at('runState'),
  'agent_runs.decision': at('decision'),
  'agent_runs.summary': at('summary'),
  'triggers.client': at('client'),
  'triggers.id': at('logEntryId'),
  'triggers.fired_at': at('firedAt'),
  'triggers.date': at('firedAt'),
  'triggers.name': at('triggerName'),
  'triggers.before': at('reading.valueBefore'),
  'triggers.after': at('reading.valueAfter'),
  'triggers.threshold': at('reading.threshold'),
  'triggers.done': at('responseTaken'),
};
