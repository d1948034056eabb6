// What is done for a client, tried out, and rewritten.

import { range, round } from '../kit.ts';
import { at, dayFirst, list } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, ofFirms, slugOf } from './firms.ts';
import { decimal, guid, hex, isLikely, on, pick, whole } from './kit.ts';

const kinds = ['CONTENT_REFRESH', 'DIGITAL_PR', 'SCHEMA_MARKUP', 'REVIEW_DRIVE', 'TECHNICAL_FIX'];
const priorities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];

interface Task {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly priority: string;
  readonly status: string;
  /** Days from the first run date, below 0. */
  readonly raised: number;
}

function task(firm: Firm, index: number, day: number): Task {
  const topic = pick(firm.topics, firm.id, 'task', index);
  const kind = pick(kinds, firm.id, 'kind', index);
  const states = ['PROPOSED', 'IN_PROGRESS', 'COMPLETED', 'POSTPONED', 'DISMISSED'];
  return {
    id: `ACT-${firm.id.slice(2)}-${String(index).padStart(3, '0')}`,
    title: `${pick(['Rewrite', 'Improve', 'Promote', 'Check'], firm.id, 'verb', index)} the ${topic} page`,
    kind,
    priority: pick(priorities, firm.id, 'priority', index),
    status: index % 6 === 0 && day > 0 ? 'COMPLETED' : pick(states, firm.id, 'status', index),
    raised: -whole(4, 150, firm.id, 'raised', index),
  };
}

const tasks = (firm: Firm, day: number): Task[] => range(1, 16 + day).map((index) => task(firm, index, day));

function centreAction(firm: Firm, { id, title, kind, priority, status, raised }: Task, day: number) {
  const from = decimal(0.5, 3, 1, id, 'from');
  return {
    actionId: id,
    headline: title,
    actionType: kind,
    status,
    priority,
    raisedOn: on(raised).dayFirst,
    lastTouchedOn: on(Math.min(day, raised + whole(1, 60, id, 'touched'))).dayFirst,
    postponedUntil: status === 'POSTPONED' ? on(whole(10, 60, id, 'until')).dayFirst : null,
    effortDays: whole(1, 10, id, 'effort'),
    impact: {
      level: pick(['HIGH', 'MODERATE', 'SLIGHT'], id, 'level'),
      points: decimal(0.2, 6, 1, id, 'points'),
    },
    expectation: {
      metric: pick(['AI_RANK', 'PRESENCE_RATE', 'CITATIONS'], id, 'metric'),
      expectedRange: [from, round(from + decimal(0.5, 3, 1, id, 'to'))],
      frozenOn: on(raised + 2).dayFirst,
    },
    outcome:
      status === 'COMPLETED'
        ? {
            observed: decimal(-1, 5, 1, id, 'observed'),
            reading: pick(
              ['Within the range expected', 'Below the range expected', 'No reading'],
              id,
              'reading',
            ),
          }
        : null,
    evidence: [{ type: 'PROMPT_GAP', reference: hex(10, id, 'evidence') }],
    _embedded: { client: { clientNumber: firm.id, tradingName: firm.name } },
    _links: { self: { href: `/actions/${id}` } },
  };
}

const listedAction = (firm: Firm, { id, title, kind, priority, status, raised }: Task) => ({
  id,
  type: 'actions',
  attributes: {
    title,
    actionType: kind,
    standing: status,
    urgency: priority,
    raisedOn: on(raised).spelled,
    closedOn: status === 'COMPLETED' ? on(raised + 3).spelled : null,
    remarks: isLikely(0.4, id, 'remarks') ? 'Agreed with the client by telephone.' : null,
  },
  relationships: { client: { data: { type: 'clients', id: firm.id } } },
});

function experiment(firm: Firm, index: number, day: number) {
  const id = `EXP-${firm.id.slice(2)}-${index}`;
  const first = -whole(20, 120, id, 'first');
  const isOver = first + 28 < day;
  const before = decimal(12, 55, 1, id, 'before');
  const expected = decimal(1, 6, 1, id, 'expected');
  const actual = isOver ? decimal(-2, 8, 1, id, 'actual') : null;
  const topic = pick(firm.topics, id);
  return {
    experimentId: id,
    client: { number: firm.id, name: firm.name },
    linkedAction: { title: `Rewrite the ${topic} page`, actionType: pick(kinds, id, 'kind') },
    hypothesis: `A clearer comparison table makes engines name ${firm.name} for ${topic} more often.`,
    testWindow: [on(first).day, on(first + 28).day],
    registeredOn: on(first - 5).day,
    objective: pick(['RAISE_PRESENCE', 'RAISE_RANK', 'EARN_CITATIONS'], id, 'objective'),
    metric: pick(['PRESENCE_RATE', 'AI_RANK', 'CITATIONS'], id, 'metric'),
    stage: isOver ? 'CONCLUDED' : 'RUNNING',
    readings: {
      before,
      after: actual === null ? null : round(before + actual),
      sampleSize: whole(80, 400, id),
    },
    uplift: { expected, actual },
    interpretation: isOver ? pick(['CONSISTENT', 'INCONCLUSIVE', 'CONTRARY'], id, 'reading') : null,
    conclusion: isOver ? 'Keep the change and look again in a month.' : null,
  };
}

function version(firm: Firm, index: number, day: number) {
  const topic = pick(firm.topics, firm.id, 'version', index);
  const before = decimal(28, 60, 1, firm.id, 'page before', index);
  return {
    versionId: guid(firm.id, 'version', index),
    clientNumber: firm.id,
    pageAddress: `https://www.${firm.domain}/guides/${slugOf(topic)}-${index}`,
    versionState:
      index === 1 && day > 0 ? 'REVERTED' : pick(['APPROVED', 'DRAFT_CREATED', 'EXPORTED'], firm.id, index),
    pageScore: { before, after: round(before + decimal(-2, 22, 1, firm.id, 'gain', index)) },
    readabilityGrade: decimal(5, 12, 1, firm.id, 'grade', index),
    amendments: range(1, whole(1, 4, firm.id, 'amendments', index)).map((at) => ({
      title: pick(
        ['Added FAQ', 'Shortened heading', 'Added comparison table', 'Cited a source'],
        firm.id,
        index,
        at,
      ),
      wordDelta: whole(-40, 220, firm.id, index, at),
    })),
    createdAt: on(-whole(1, 120, firm.id, 'created', index)).epochMs,
    checksum: hex(16, firm.id, 'checksum', index),
  };
}

export const actionRoutes: Routes<Firm> = {
  acciones: ({ day }) => ({
    acciones: ofFirms((firm) => tasks(firm, day).map((one) => listedAction(firm, one))),
    jsonapi: { version: '1.1' },
  }),
  actions: ({ day }) => ({
    acciones: ofFirms((firm) => tasks(firm, day).map((one) => centreAction(firm, one, day))),
    _links: { self: { href: '/api/v1/actions' } },
  }),
  experiments: ({ day }) => ({
    experimentos: ofFirms((firm) => range(1, 9).map((index) => experiment(firm, index, day))),
    learning: kinds.map((kind) => ({
      actionType: kind,
      concluded: whole(2, 9, kind),
      meanUplift: decimal(0, 3, 1, kind),
    })),
  }),
  optimizer: ({ day }) => ({
    versiones: ofFirms((firm) => range(1, 9 + day).map((index) => version(firm, index, day))),
  }),
};

export const actionTruth: Truth = {
  'actions.client': at('_embedded.client.clientNumber'),
  'actions.id': at('actionId'),
  'actions.title': at('headline'),
  'actions.kind': at('actionType'),
  'actions.status': at('status'),
  'actions.priority': at('priority'),
  'actions.created': dayFirst('raisedOn'),
  'actions.updated': dayFirst('lastTouchedOn'),
  'actions.postponed_until': dayFirst('postponedUntil'),
  'actions.impact_level': at('impact.level'),
  'actions.impact_points': at('impact.points'),
  'actions.expectation': at('expectation'),
  'actions.expectation_metric': at('expectation.metric'),
  'actions.expectation_from': at('expectation.expectedRange[0]', 'expectation.expectedRange | first'),
  'actions.expectation_to': at(
    'expectation.expectedRange[1]',
    'expectation.expectedRange[-1]',
    'expectation.expectedRange | last',
  ),
  'actions.expectation_frozen': dayFirst('expectation.frozenOn'),
  'actions.result_observed': at('outcome.observed'),
  'actions.result_reading': at('outcome.reading'),
  'acciones.client': at('relationships.client.data.id'),
  'acciones.id': at('id'),
  'acciones.title': at('attributes.title'),
  'acciones.kind': at('attributes.actionType'),
  'acciones.status': at('attributes.standing'),
  'acciones.priority': at('attributes.urgency'),
  'acciones.created': at('attributes.raisedOn'),
  'experiments.client': at('client.number'),
  'experiments.id': at('experimentId'),
  'experiments.action': at('linkedAction.title', 'linkedAction'),
  'experiments.action_kind': at('linkedAction.actionType'),
  'experiments.hypothesis': at('hypothesis'),
  'experiments.starts': at('testWindow[0]', 'testWindow | first'),
  'experiments.ends': at('testWindow[1]', 'testWindow[-1]', 'testWindow | last'),
  'experiments.objective': at('objective'),
  'experiments.metric': at('metric'),
  'experiment_learning.(rows)': at('learning'),
  'experiment_learning.action_kind': at('actionType'),
  'experiment_learning.read': at('concluded'),
  'experiment_learning.mean_change': at('meanUplift'),
  'experiments.status': at('stage'),
  'experiments.before': at('readings.before'),
  'experiments.after': at('readings.after'),
  'experiments.expected': at('uplift.expected'),
  'experiments.actual': at('uplift.actual'),
  'experiments.reading': at('interpretation'),
  'experiments.conclusion': at('conclusion'),
  'optimizer.client': at('clientNumber'),
  'optimizer.id': at('versionId'),
  'optimizer.url': at('pageAddress'),
  'optimizer.status': at('versionState'),
  'optimizer.before': at('pageScore.before'),
  'optimizer.after': at('pageScore.after'),
  'optimizer.changes': list('amendments', 'title'),
  'optimizer.created': at('createdAt'),
};
