// Figures of a report with nothing in them, for tests that fill in some.
import { type Action, type Change, type Figures, rankFigures } from '../../src/reporting/report/figures.ts';

export function figuresWith(some: Partial<Figures>): Figures {
  return {
    rank: rankFigures([], { from: '2026-10-01' }),
    dimensions: [],
    questions: [],
    competitors: [],
    pages: { gained: 0, lost: 0, own: 0, unknown: 0 },
    actions: [],
    experiments: [],
    notes: [],
    ...some,
  };
}

type Point = readonly [date: string, method: string, score: string, position: string | null, mark?: 'before'];

/** Points as `['2026-10-01', 'v2', '54.1', '3']`; `before` marks what the newest one is compared with. */
export function rankOf(...points: readonly Point[]) {
  const rows = points.map(([date, method, score, position, mark]) => {
    return { date, method, score, position, is_before: mark === undefined ? 'f' : 't' };
  });
  return rankFigures(rows, { from: '2026-10-01' });
}

export function changeOf(kind: Change['kind'], name: string, before: number, now: number): Change {
  return {
    kind,
    name,
    before: { date: '2026-09-30', value: before },
    now: { date: '2026-10-31', value: now },
  };
}

export function actionWith(some: Partial<Action>): Action {
  return {
    title: 'Publish a guide',
    status: 'hecha',
    meaning: 'done',
    since: '2026-10-10',
    hasChanged: true,
    priority: '1',
    postponedUntil: null,
    metric: '',
    expectedFrom: null,
    expectedTo: null,
    observed: null,
    reading: '',
    readOn: null,
    ...some,
  };
}
