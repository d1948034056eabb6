// The action centre, in JSON:API, and what is known of an action elsewhere.

import { range, round } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { clients, type Firm } from './firms.ts';
import { decimal, hex, on, pick, whole } from './kit.ts';

export interface Action {
  readonly id: string;
  readonly firm: Firm;
  /** Days since the first run date on which it was opened. */
  readonly offset: number;
  readonly title: string;
  readonly category: string;
  readonly status: string;
}

const titles = [
  ['content', 'Publish a comparison page for TOPIC'],
  ['technical', 'Add product schema to TOPIC pages'],
  ['outreach', 'Pitch a TOPIC roundup to two editors'],
  ['content', 'Rewrite the TOPIC buying guide'],
  ['reviews', 'Answer open reviews that mention TOPIC'],
  ['technical', 'Let AI crawlers reach the TOPIC section'],
] as const;

/** Newest first: about one every two days, and one more each run date. */
export const actionsUpTo = (day: number): Action[] =>
  range(1, 84 + day)
    .reverse()
    .map((at) => {
      const firm = pick(clients, 'owner', at);
      const offset = at > 84 ? at - 84 : Math.floor((at - 84) * 1.8);
      const [category, title] = pick(titles, 'title', at);
      return {
        id: `ACT-${1000 + at}`,
        firm,
        offset,
        title: title.replace('TOPIC', pick(firm.topics, 'topic', at).toLowerCase()),
        category,
        status: statusOf(at, offset, day),
      };
    });

function statusOf(at: number, offset: number, day: number): string {
  const age = day - offset;
  // A few move on each day.
  const turn = whole(4, 60, 'turn', at);
  if (at % 13 === 0) return 'snoozed';
  if (age < turn / 2) return 'open';
  return age < turn ? 'in_progress' : pick(['done', 'done', 'dismissed'], 'end', at);
}

export const actionRoutes: Routes<Firm> = { actions, experiments };

function actions({ day }: Ask<Firm>): unknown {
  return {
    acciones: actionsUpTo(day).map((action) => {
      const isDone = action.status === 'done';
      const low = whole(1, 4, 'low', action.id);
      return {
        type: 'action',
        id: action.id,
        attributes: {
          category: action.category,
          state: action.status,
          opened: on(action.offset).spelled,
          snoozedUntil:
            action.status === 'snoozed' ? on(whole(12, 22, 'snooze', action.id)).monthFirst : null,
          lastTouched: on(Math.min(day, action.offset + 6)).utc,
          impact: {
            pts: decimal(0.5, 6, 1, 'pts', action.id),
            costHours: whole(1, 30, 'hours', action.id),
          },
          target: {
            kpi: pick(['AI Rank', 'Presence', 'Citations'], 'kpi', action.id),
            range: [low, low + whole(1, 4, 'high', action.id)],
            lockedOn: on(action.offset).yearFirst,
          },
          outcome: isDone
            ? {
                seen: decimal(-1, 6, 1, 'seen', action.id),
                readAt: on(action.offset + 4).utc,
              }
            : null,
          etag: hex(8, 'etag', action.id, action.status),
        },
        relationships: { client: { data: { type: 'client', id: action.firm.id } } },
      };
    }),
    boardVersion: 3,
  };
}

function experiments({ day }: Ask<Firm>): unknown {
  const done = actionsUpTo(0).filter((action) => action.offset < -20);
  return {
    experimentos: range(1, 64).map((at) => {
      const action = pick(done, 'experiment', at);
      const startsAt = action.offset + 2;
      const endsAt = startsAt + 28;
      const isRead = endsAt <= day;
      const baseline = decimal(35, 70, 1, 'baseline', at);
      const lift = decimal(-2, 5, 1, 'lift', at);
      return {
        expId: `EXP${String(at).padStart(4, '0')}`,
        customerId: action.firm.id,
        change: { title: action.title, ticket: action.id },
        hypothesis: `${action.title} should bring the brand into more answers`,
        window: [on(startsAt).day, on(endsAt).day],
        kpi: 'AI Rank',
        baseline,
        followUp: isRead ? round(baseline + lift) : null,
        predictedLift: decimal(0.5, 4, 1, 'predicted', at),
        actualLift: isRead ? lift : null,
        interpretation: isRead ? 'Moved together with the change; other causes are possible' : null,
        pValue: isRead ? decimal(0.01, 0.6, 3, 'p', at) : null,
        createdBy: 'system',
      };
    }),
    learning: [{ family: 'content', meanLift: 1.6, n: 22 }],
  };
}

export const actionTruth: Truth = {
  'actions.client': { paths: ['relationships.client.data.id'] },
  'actions.id': { paths: ['id'] },
  'actions.kind': { paths: ['attributes.category'] },
  'actions.status': { paths: ['attributes.state'] },
  'actions.created': { paths: ['attributes.opened'] },
  'actions.updated': { paths: ['attributes.lastTouched'] },
  // A handful of dates, and no day is over 12.
  'actions.postponed_until': { paths: ['attributes.snoozedUntil | mdy'], isDoubtful: true },
  'actions.impact_points': { paths: ['attributes.impact.pts'] },
  'actions.expectation_metric': { paths: ['attributes.target.kpi'] },
  'actions.expectation_from': { paths: ['attributes.target.range[0]'] },
  'actions.expectation_to': { paths: ['attributes.target.range[1]', 'attributes.target.range[-1]'] },
  'actions.expectation_frozen': { paths: ['attributes.target.lockedOn'] },
  'actions.result_observed': { paths: ['attributes.outcome.seen'] },
  'actions.expectation': { paths: ['attributes.target'] },
  'experiments.client': { paths: ['customerId'] },
  'experiments.id': { paths: ['expId'] },
  'experiments.action': { paths: ['change.title'] },
  'experiments.hypothesis': { paths: ['hypothesis'] },
  'experiments.starts': { paths: ['window[0]'] },
  'experiments.ends': { paths: ['window[1]', 'window[-1]'] },
  'experiments.metric': { paths: ['kpi'] },
  'experiment_learning.(rows)': { paths: ['learning'] },
  'experiment_learning.action_kind': { paths: ['family'] },
  'experiment_learning.read': { paths: ['n'] },
  'experiment_learning.mean_change': { paths: ['meanLift'] },
  'experiments.before': { paths: ['baseline'] },
  'experiments.after': { paths: ['followUp'] },
  'experiments.expected': { paths: ['predictedLift'] },
  'experiments.actual': { paths: ['actualLift'] },
  'experiments.reading': { paths: ['interpretation'] },
};
