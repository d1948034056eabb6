// Figures of a report with nothing in them, for tests that fill in some.
import {
  type Action,
  type Figures,
  type Measured,
  rankFigures,
  type Verdict,
} from '../../src/reporting/report/figures.ts';

export function figuresWith(some: Partial<Figures>): Figures {
  return {
    rank: rankFigures([], { from: '2026-10-01' }),
    rankChange: undefined,
    mentionChange: undefined,
    measured: [],
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

export function measured(kind: Measured['kind'], name: string, now: number, before?: number): Measured {
  return {
    kind,
    name,
    now: { date: '2026-10-31', value: now },
    before: before === undefined ? undefined : { date: '2026-09-30', value: before },
  };
}

/** The point of 31 October against that of the 3rd, from 8.1 points on clear. */
export function rankChange(direction: Verdict['direction'], now: number, before: number) {
  const span = (date: string, value: number) => ({ from: date, to: date, value });
  const usual = direction === undefined ? undefined : 8.08;
  return { direction, now: span('2026-10-31', now), before: span('2026-10-03', before), usual };
}

/** Percent of 480 answers to 24 questions, 3 to 30 October. */
export function mentionChange(direction: Verdict['direction'], now: number, before: number) {
  return {
    direction,
    now: { from: '2026-10-03', to: '2026-10-30', value: now },
    before: { from: '2026-09-05', to: '2026-10-02', value: before },
    ...{ questions: 24, answers: 480 },
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
