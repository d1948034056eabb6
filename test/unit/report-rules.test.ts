import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBlockers } from '../../src/reporting/report/blockers.ts';
import { plain } from '../../src/reporting/report/clients.ts';
import { isEmpty, meaningOf } from '../../src/reporting/report/figures.ts';
import { rankAround } from '../../src/reporting/report/report-html.ts';
import { gainsAndLosses, sentencesOf } from '../../src/reporting/report/sentences.ts';
import { wordOf } from '../../src/reporting/report/words.ts';
import { actionWith, changeOf, figuresWith, rankOf } from '../support/report-figures.ts';

const before = ['2026-09-30', 'v2', '51.6', '4', 'before'] as const;
const newest = ['2026-10-31', 'v2', '54.1', '3'] as const;

describe('sentences', () => {
  it('say what the AI Rank was, and what it was before', () => {
    const figures = figuresWith({ rank: rankOf(before, ['2026-10-01', 'v2', '1', null], newest) });
    expect(sentencesOf(figures, 'en')).toEqual([
      'The AI Rank was 54.1 on 31 Oct 2026: +2.5 points since 30 Sept 2026, when it was 51.6.',
      'The brand is number 3 among the measured brands; it was number 4 on 30 Sept 2026.',
    ]);
    expect(sentencesOf(figures, 'es')[0]).toBe(
      'El AI Rank era 54,1 el 31 oct 2026: +2,5 puntos desde el 30 sept 2026, cuando era 51,6.',
    );
  });

  it('name no change where there is nothing to compare with', () => {
    const first = ['2026-10-03', 'v2', '50', null] as const;
    expect(sentencesOf(figuresWith({ rank: rankOf(first, newest) }), 'en')[0]).toBe(
      'The AI Rank was 54.1 on 31 Oct 2026; there is nothing to compare it with.',
    );
  });

  it('never compare two methods', () => {
    const rank = rankOf(['2026-09-30', 'v1', '80', '1'], ['2026-10-05', 'v2', '50', '3'], newest);
    expect(rank.before).toBeUndefined();
    expect(sentencesOf(figuresWith({ rank }), 'en')[0]).toBe(
      'The AI Rank is measured by method v2 since 5 Oct 2026 and was 54.1 last; it is not compared with v1.',
    );
    const ended = rankOf(
      ['2026-09-30', 'v2', '50', null, 'before'],
      ['2026-10-02', 'v1', '10', null],
      newest,
    );
    expect(ended.before).toMatchObject({ date: '2026-09-30' });
    expect(ended.changedMethod).toBeUndefined();
  });

  it('are at most five, each of figures that are there', () => {
    const figures = figuresWith({
      rank: rankOf(before, newest),
      dimensions: [changeOf('dimension', 'posicion', 40, 30), changeOf('dimension', 'autoridad', 1, 2)],
      questions: [changeOf('question', 'a', 20, 30), changeOf('question', 'b', 40, 40)],
      competitors: [
        { name: 'Rival', brand: '', now: { date: '2026-10-31', value: 60.5 }, before: undefined },
      ],
      pages: { gained: 1, lost: 1, own: 1, unknown: 0 },
      actions: [actionWith({}), actionWith({ meaning: 'open' }), actionWith({ hasChanged: false })],
    });
    expect(sentencesOf(figures, 'en').slice(1)).toEqual([
      'On average over 2 questions, 35\u00a0% of the answers named the brand: +5 points since 30 Sept 2026 (30\u00a0%).',
      'Of one competitor, Rival is named most often, 60.5 times in 100 answers.',
      'One action was finished, and one is open.',
      'One cited page was gained and one was lost; 1 of them is the brand’s own.',
    ]);
    const unknown = figuresWith({
      pages: { gained: 2, lost: 1, own: 0, unknown: 3 },
      actions: [actionWith({}), actionWith({ meaning: 'unknown' })],
    });
    expect(sentencesOf(unknown, 'en')).toEqual([
      'One action was finished, and none is open; the status of 1 is not known.',
      '2 cited pages were gained and one was lost; 0 of them are known to be the brand’s own, and of 3 it is not known.',
    ]);
    expect(sentencesOf(figuresWith({ actions: [actionWith({ meaning: 'unknown' })] }), 'es')).toEqual([]);
    const fewer = figuresWith({ dimensions: figures.dimensions });
    expect(sentencesOf(fewer, 'es')).toEqual([
      'De lo que compone el AI Rank, lo que más se ha movido es posición: de 40 el 30 sept 2026 a 30 (−10 puntos).',
    ]);
    expect(sentencesOf(figuresWith({}), 'en')).toEqual([]);
    expect(isEmpty(figuresWith({ actions: figures.actions }))).toBe(true);
    expect(isEmpty(fewer)).toBe(false);
  });
});

describe('gains and losses', () => {
  it('are what moved most, at most two of a kind while others moved too', () => {
    const dimensions = [10, 9, 8, 7].map((points) => changeOf('dimension', `d${points}`, 10, 10 + points));
    const questions = [changeOf('question', 'q', 50, 51)];
    const { gains, losses } = gainsAndLosses(figuresWith({ dimensions, questions }));
    expect(gains.map(({ name }) => name)).toEqual(['d10', 'd9', 'q']);
    expect(losses).toEqual([]);
    expect(gainsAndLosses(figuresWith({ dimensions })).gains.map(({ name }) => name)).toEqual([
      'd10',
      'd9',
      'd8',
    ]);
  });

  it('take a competitor that is named more often for a loss', () => {
    const rival = (name: string, value: number) => ({
      ...changeOf('competitor', name, 20, value),
      brand: '',
    });
    const { gains, losses } = gainsAndLosses(
      figuresWith({ competitors: [rival('up', 30), rival('down', 5)] }),
    );
    expect(gains.map(({ name }) => name)).toEqual(['down']);
    expect(losses).toMatchObject([{ name: 'up', gain: -10 }]);
  });

  it('hold whatever moved: three at most, signed alike, the largest first', () => {
    const points = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(points, points), { maxLength: 12 }), (moves) => {
        const questions = moves.map(([then, now], place) => changeOf('question', `q${place}`, then, now));
        const { gains, losses } = gainsAndLosses(figuresWith({ questions }));
        for (const [some, sign] of [
          [gains, 1],
          [losses, -1],
        ] as const) {
          expect(some.length).toBeLessThanOrEqual(3);
          expect(some.every(({ gain }) => gain * sign >= 0.5)).toBe(true);
          expect(some.map(({ gain }) => Math.abs(gain))).toEqual(
            some.map(({ gain }) => Math.abs(gain)).sort((a, b) => b - a),
          );
        }
      }),
    );
  });
});

describe('what is withheld', () => {
  const slice = (stream: string, client_id: string, status: string, complete_run_date: string | null) => ({
    stream,
    client_id,
    status,
    complete_run_date,
    run_date: '2026-11-01',
  });

  it('reads slices that failed, or that do not reach the end of the period', () => {
    const slices = [
      slice('prompts', '', 'failed', '2026-10-30'),
      slice('citations', '', 'deferred', '2026-10-28'),
      slice('competitors', '', 'failed', '2026-10-31'),
      slice('experiments', '', 'unavailable', null),
      slice('products', '', 'failed', null),
      slice('actions', '', 'failed', null),
    ];
    expect(findBlockers(slices, 'c7', '2026-10-31')).toEqual([
      { stream: 'actions', why: 'failed', completeUntil: null },
      { stream: 'citations', why: 'stale', completeUntil: '2026-10-28' },
      { stream: 'prompts', why: 'failed', completeUntil: '2026-10-30' },
    ]);
  });

  it("goes by the client's own slice where it has one", () => {
    const own = slice('airank', 'c7', 'complete', '2026-11-01');
    expect(findBlockers([slice('airank', '', 'failed', null), own], 'c7', '2026-10-31')).toEqual([]);
    const stale = slice('airank', 'c7', 'complete', '2026-10-01');
    const account = slice('airank', '', 'complete', '2026-11-01');
    expect(findBlockers([account, stale], 'c7', '2026-10-31')).toHaveLength(1);
  });
});

describe('actions', () => {
  it.each([
    ['hecha', 'done'],
    ['Completado', 'done'],
    ['DONE', 'done'],
    ['descartada', 'dropped'],
    ['en_curso', 'open'],
    ['not done', 'open'],
    ['', 'unknown'],
  ])('read the status %j as %s', (status, meaning) => {
    expect(meaningOf(status)).toBe(meaning);
  });

  it('stand between the point before and the newest one after', () => {
    const rank = rankOf(before, ['2026-10-09', 'v2', '52', null], ['2026-10-10', 'v2', '53', null], newest);
    expect(rankAround({ since: '2026-10-10' }, { rank })).toEqual({ before: 52, after: 54.1 });
    expect(rankAround({ since: '2026-10-31' }, { rank })).toEqual({ before: 53, after: undefined });
    expect(rankAround({ since: '2026-09-30' }, { rank }).before).toBeUndefined();
  });
});

describe('texts of the data', () => {
  it('are short, on one line, and turn nothing around', () => {
    expect(plain('a\r\n b\u202e\u2066c\0')).toBe('a bc');
    expect([...plain('🤖'.repeat(500))]).toHaveLength(120);
    expect(plain(null)).toBe('');
  });

  it('are said in the language of the report where the word is known', () => {
    expect(wordOf('en_curso', 'en')).toBe('in progress');
    expect(wordOf('en_curso', 'es')).toBe('en curso');
    expect(wordOf('constructor', 'en')).toBe('constructor');
  });
});
