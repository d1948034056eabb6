import { describe, expect, it } from 'vitest';
import { inLanguage } from '../../src/core/api-words.ts';
import { meaningOf } from '../../src/reporting/report/action-status.ts';
import { findBlockers } from '../../src/reporting/report/blockers.ts';
import { plain } from '../../src/reporting/report/clients.ts';
import { isEmpty } from '../../src/reporting/report/figures.ts';
import { rankAround } from '../../src/reporting/report/report-html.ts';
import { sentencesOf } from '../../src/reporting/report/sentences.ts';

import {
  actionWith,
  figuresWith,
  measured,
  mentionChange,
  rankChange,
  rankOf,
} from '../support/report-figures.ts';

const before = ['2026-09-30', 'v2', '51.6', '4', 'before'] as const;
const newest = ['2026-10-31', 'v2', '54.1', '3'] as const;

describe('sentences', () => {
  const rank = rankOf(before, ['2026-10-01', 'v2', '1', null], newest);
  const said = (some: Parameters<typeof figuresWith>[0]) =>
    (['en', 'es'] as const).map((language) => sentencesOf(figuresWith(some), language)[0]);

  it.each([
    [
      rankChange('fell', 47.3, 65.4),
      'The AI Rank fell by 18.1 points, from 65.4 on 3 Oct 2026 to 47.3 on 31 Oct 2026. A change is clear from 8.1 points on.',
      'El AI Rank bajó 18,1 puntos, de 65,4 el 3 oct 2026 a 47,3 el 31 oct 2026. Un cambio es claro desde 8,1 puntos.',
    ],
    [
      rankChange('rose', 65.4, 47.3),
      'The AI Rank rose by 18.1 points, from 47.3 on 3 Oct 2026 to 65.4 on 31 Oct 2026. A change is clear from 8.1 points on.',
      'El AI Rank subió 18,1 puntos, de 47,3 el 3 oct 2026 a 65,4 el 31 oct 2026. Un cambio es claro desde 8,1 puntos.',
    ],
    [
      rankChange('usual', 44.8, 48.5),
      'The AI Rank is within its usual range: 44.8 on 31 Oct 2026, 48.5 on 3 Oct 2026. A change is clear from 8.1 points on.',
      'El AI Rank está dentro de lo habitual: 44,8 el 31 oct 2026, 48,5 el 3 oct 2026. Un cambio es claro desde 8,1 puntos.',
    ],
    [
      rankChange(undefined, 47.3, 65.4),
      'The AI Rank was 47.3 on 31 Oct 2026 and 65.4 on 3 Oct 2026; whether that is more than chance cannot be judged yet: that takes an interval of the service at both, or seven changes over 28 days before.',
      'El AI Rank era 47,3 el 31 oct 2026 y 65,4 el 3 oct 2026; todavía no se puede juzgar si es más que azar: harían falta un intervalo del servicio en ambas fechas o siete cambios de 28 días anteriores.',
    ],
  ])('say of the AI Rank whether it moved, and when: $direction', (change, english, spanish) => {
    expect(said({ rank, rankChange: change })).toEqual([english, spanish]);
  });

  it.each([
    [
      mentionChange('fell', 50.3, 66.7),
      'The share of answers that name the brand fell by 16.4 percentage points: 50.3\u00a0% from 3 Oct 2026 to 30 Oct 2026, 66.7\u00a0% in the 28 days before, to the same 24 questions.',
      'La parte de las respuestas que nombra a la marca bajó 16,4 puntos porcentuales: 50,3\u00a0% del 3 oct 2026 al 30 oct 2026, 66,7\u00a0% en los 28 días anteriores, a las mismas 24 preguntas.',
    ],
    [
      { ...mentionChange('usual', 52.3, 50), questions: 1 },
      'The share of answers that name the brand is within its usual range: 52.3\u00a0% from 3 Oct 2026 to 30 Oct 2026, 50\u00a0% in the 28 days before, to the same question.',
      'La parte de las respuestas que nombra a la marca está dentro de lo habitual: 52,3\u00a0% del 3 oct 2026 al 30 oct 2026, 50\u00a0% en los 28 días anteriores, a la misma pregunta.',
    ],
    [
      { ...mentionChange(undefined, 100, 0), answers: 4 },
      'The brand was named in 100\u00a0% from 3 Oct 2026 to 30 Oct 2026, 0\u00a0% in the 28 days before; 4 answers are too few to tell a change from chance.',
      'Respuestas que nombran a la marca: 100\u00a0% del 3 oct 2026 al 30 oct 2026, 0\u00a0% en los 28 días anteriores; 4 respuestas son pocas para distinguir un cambio del azar.',
    ],
  ])(
    'say of the answers that name the brand whether they moved, and when: $direction',
    (change, english, spanish) => {
      expect(said({ mentionChange: change })).toEqual([english, spanish]);
    },
  );

  it('name no change where there is nothing to compare with', () => {
    expect(said({ rank })[0]).toBe(
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

  it('name the competitors with most mentions first', () => {
    const rivals = [
      ...['Ana', 'Ben', 'Cleo', 'Dora', 'Eva', 'Fe', 'Gil'].map((name, place) =>
        measured('competitor', name, 7 - place),
      ),
      measured('competitor', 'Zoe', 60.5, 70),
    ];
    expect(said({ measured: rivals })).toEqual([
      'Competitors on 31 Oct 2026, mentions in 100 answers, largest first: Zoe: 60.5; Ana: 7; Ben: 6; Cleo: 5; Dora: 4; Eva: 3; and 2 more. The order of close ones may be chance.',
      'Competidores el 31 oct 2026, menciones en 100 respuestas, de mayor a menor: Zoe: 60,5; Ana: 7; Ben: 6; Cleo: 5; Dora: 4; Eva: 3; y 2 más. El orden de los cercanos puede ser azar.',
    ]);
    expect(said({ measured: rivals.slice(-1) })[0]).toBe(
      'Its competitor on 31 Oct 2026, mentions in 100 answers: Zoe: 60.5.',
    );
  });

  it('are five where all figures are there, and say of none that is not judged that it moved', () => {
    const all = {
      ...{ rank, rankChange: rankChange(undefined, 1, 99), mentionChange: mentionChange(undefined, 1, 99) },
      measured: (['engine', 'dimension', 'competitor'] as const).map((kind) => measured(kind, kind, 1, 99)),
      pages: { gained: 1, lost: 1, own: 1, unknown: 0 },
      actions: [actionWith({}), actionWith({ meaning: 'open' }), actionWith({ hasChanged: false })],
    };
    const sentences = sentencesOf(figuresWith(all), 'en');
    expect(sentences).toHaveLength(5);
    expect(sentences.slice(3)).toEqual([
      'One action was finished, and one is open.',
      'One cited page was gained and one was lost; 1 of them is the brand’s own.',
    ]);
    expect(sentences.join()).not.toMatch(/\b(rose|fell|moved|up|down|most|−|\+)/);
    expect(sentencesOf(figuresWith(all), 'es').join()).not.toMatch(/\b(sub|baj|mueve|más nombrado|−|\+)/);
  });

  it('are there for figures that are there', () => {
    const unknown = figuresWith({
      pages: { gained: 2, lost: 1, own: 0, unknown: 3 },
      actions: [actionWith({}), actionWith({ meaning: 'unknown' })],
    });
    expect(sentencesOf(unknown, 'en')).toEqual([
      'One action was finished, and none is open; the status of 1 is not known.',
      '2 cited pages were gained and one was lost; 0 of them are known to be the brand’s own, and of 3 it is not known.',
    ]);
    expect(sentencesOf(figuresWith({ actions: [actionWith({ meaning: 'unknown' })] }), 'es')).toEqual([]);
    const dimensions = figuresWith({ measured: [measured('dimension', 'posicion', 30, 40)] });
    expect(sentencesOf(dimensions, 'es')).toEqual([]);
    expect(isEmpty(dimensions)).toBe(false);
    expect(isEmpty(figuresWith({ actions: unknown.actions }))).toBe(true);
    expect(isEmpty(figuresWith({ mentionChange: mentionChange('usual', 1, 1) }))).toBe(false);
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
      slice('respuestas', '', 'failed', '2026-10-30'),
      slice('citations', '', 'deferred', '2026-10-28'),
      slice('competitors', '', 'failed', '2026-10-31'),
      slice('experiments', '', 'unavailable', null),
      slice('products', '', 'failed', null),
      slice('actions', '', 'failed', null),
    ];
    expect(findBlockers(slices, 'c7', '2026-10-31')).toEqual([
      { stream: 'actions', why: 'failed', completeUntil: null },
      { stream: 'citations', why: 'stale', completeUntil: '2026-10-28' },
      { stream: 'respuestas', why: 'failed', completeUntil: '2026-10-30' },
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
    expect(inLanguage('en_curso', 'en')).toBe('in progress');
    expect(inLanguage('en_curso', 'es')).toBe('en curso');
    expect(inLanguage('constructor', 'en')).toBe('constructor');
  });
});
