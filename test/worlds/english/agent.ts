// The agent: `agent/os`, `agent/runs`, `agent/memory`, `triggers`, `ask`.

import { range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { agency, clients, type Firm } from './firms.ts';
import { decimal, isLikely, on, pick, uuid, whole } from './kit.ts';

export const agentRoutes: Routes<Firm> = {
  'agent/os': agentState,
  'agent/runs': agentRuns,
  'agent/memory': agentMemory,
  triggers,
  ask: ({ query, day }) => ({
    question: query.get('pregunta'),
    reply: `As of ${on(day).spelled}, Harbor & Pine Outfitters leads the portfolio.`,
    basedOn: [{ source: 'visibility', asOf: on(day).day }],
  }),
};

const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'] as const;
const tactics = ['Structured data', 'Comparison pages', 'Digital PR', 'Review replies'] as const;

/** Two runs a day. */
const runNumbers = (day: number): number[] => range(1, 120 + 2 * day).reverse();
const runOffset = (at: number): number => Math.ceil((at - 120) / 2);

function agentState({ day }: Ask<Firm>): unknown {
  const newest = 120 + 2 * day;
  return {
    operatingState: 'online',
    heartbeat: on(day, 55).epochMs,
    lastDecision: {
      call: decisionOf(newest),
      madeOn: on(day).yearFirst,
      because: ['Rank fell for two clients', 'Panel is complete'],
    },
    pendingApprovals: [{ action: 'ACT-1080', askedOn: on(-1).day }],
    projects: [{ name: 'Spring content', openActions: 7 }],
    learning: Object.fromEntries(tactics.map((tactic) => [tactic, decimal(-1, 4, 2, 'learned', tactic)])),
    autonomy: { level: 2, maxChangesPerDay: 3, enabled: 'yes' },
    modelVersion: '2026-03',
  };
}

const decisionOf = (at: number): string => pick(decisions, 'decision', at);
const runId = (at: number): string => `run-${whole(10 ** 7, 10 ** 8 - 1, 'run', at)}-${at}`;

function agentRuns({ day, query }: Ask<Firm>): unknown {
  const id = query.get('id');
  if (id !== null) {
    const at = runNumbers(day).find((one) => runId(one) === id);
    return at === undefined ? undefined : runTrace(at);
  }
  return { runs: runNumbers(day).map(agentRun), paused: false };
}

function agentRun(at: number) {
  const minutes = (at % 2) * 300;
  return {
    run_id: runId(at),
    kickedOff: on(runOffset(at), minutes).epochMs,
    wrappedUp: on(runOffset(at), minutes + whole(2, 40, 'length', at)).epochMs,
    outcome: isLikely(0.06, 'failed', at) ? 'failed' : 'succeeded',
    decision: decisionOf(at),
    toolCalls: whole(4, 60, 'tools', at),
    costUsd: `$${decimal(0.02, 1.4, 2, 'cost', at).toFixed(2)}`,
  };
}

function runTrace(at: number): unknown {
  return {
    ...agentRun(at),
    events: range(1, 4).map((step) => ({ step, note: pick(tactics, 'event', at, step) })),
    hypotheses: [`${pick(tactics, 'hypothesis', at)} would help`],
    evidence: [{ source: 'visibility', weight: decimal(0, 1, 2, 'evidence', at) }],
    policy: { allowed: 'yes' },
    dryRun: 'Y',
    changes: [],
    rollback: null,
  };
}

function agentMemory({ day }: Ask<Firm>): unknown {
  return {
    entradas: range(1, 90 + day)
      .reverse()
      .map((at) => {
        const offset = at > 90 ? at - 90 : at - 90 - whole(0, 1, 'memory', at);
        const isSeen = offset + 14 <= day;
        const points = decimal(-2, 5, 1, 'observed', at);
        return {
          memoryId: uuid('memory', at),
          decidedOn: on(offset).spelled,
          choice: decisionOf(at),
          tactic: pick(tactics, 'tactic', at),
          hoped: { heading: pick(['up', 'up', 'flat'], 'heading', at) },
          followUp: isSeen
            ? { points, checkedOn: on(offset + 14).monthFirst, call: points > 0 ? 'confirmed' : 'refuted' }
            : null,
          importance: decimal(0, 1, 2, 'importance', at),
          embeddingId: whole(10 ** 6, 10 ** 7, 'embedding', at),
        };
      }),
  };
}

const triggerNames = (
  'rank_drop rank_jump new_rival lost_citation new_citation bot_blocked bot_errors price_mismatch ' +
  'false_claim sentiment_drop demand_spike gap_found schema_broken page_removed revenue_drop stale_panel'
).split(' ');

function triggers({ day }: Ask<Firm>): unknown {
  return {
    registros: range(1, 130 + 2 * day)
      .reverse()
      .map((at) => {
        const offset = Math.ceil((at - 130) / 2);
        const was = decimal(30, 80, 1, 'was', at);
        return {
          entryId: uuid('trigger', at),
          clientName: pick(clients, 'fired', at).name,
          rule: pick(triggerNames, 'rule', at),
          firedAt: on(offset, whole(0, 360, 'fired', at)).local,
          wasValue: was,
          nowValue: Number((was - decimal(1, 9, 1, 'fall', at)).toFixed(1)),
          deltaPct: `-${whole(2, 20, 'delta', at)}%`,
          muted: 'N',
          ruleVersion: 2,
        };
      }),
    rules: triggerNames.map((name) => ({ name, enabled: 1, limit: 3, owner: agency.slug })),
  };
}

export const agentTruth: Truth = {
  'agent_state.status': { paths: ['operatingState'] },
  'agent_state.decision': { paths: ['lastDecision.call'] },
  'agent_state.date': { paths: ['lastDecision.madeOn'] },
  'agent_state.why': { paths: ['lastDecision.because'] },
  'agent_runs.id': { paths: ['run_id'] },
  'agent_runs.started_at': { paths: ['kickedOff'] },
  'agent_runs.finished_at': { paths: ['wrappedUp'] },
  'agent_runs.status': { paths: ['outcome'] },
  'agent_runs.decision': { paths: ['decision'] },
  'agent_memory.id': { paths: ['memoryId'] },
  'agent_memory.date': { paths: ['decidedOn'] },
  'agent_memory.decision': { paths: ['choice'] },
  'agent_memory.lever': { paths: ['tactic'] },
  'agent_memory.expected_direction': { paths: ['hoped.heading'] },
  'agent_memory.observed_points': { paths: ['followUp.points'] },
  'agent_memory.observed_on': { paths: ['followUp.checkedOn | mdy'] },
  'agent_memory.verdict': { paths: ['followUp.call'] },
  'triggers.id': { paths: ['entryId'] },
  'triggers.fired_at': { paths: ['firedAt'] },
  'triggers.date': { paths: ['firedAt'] },
  'triggers.name': { paths: ['rule'] },
  'triggers.before': { paths: ['wasValue'] },
  'triggers.after': { paths: ['nowValue'] },
};
