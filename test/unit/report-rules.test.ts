import { describe, expect, it } from 'vitest';
import { inLanguage } from '../../src/core/api-words.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { meaningOf } from '../../src/reporting/report/action-status.ts';
import { findBlockers } from '../../src/reporting/report/blockers.ts';
import { plain } from '../../src/reporting/report/clients.ts';
import { type PeriodKind, periodText, reportPeriod } from '../../src/reporting/report/period.ts';
import { isEmpty, standingAt } from '../../src/reporting/report/read-report.ts';
import { reportData } from '../support/report-data.ts';

describe('what is withheld', () => {
  const slice = (stream: string, client_id: string, status: string, complete_run_date: string | null) => ({
    ...{ stream, client_id, status, complete_run_date, run_date: '2026-11-01' },
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

it.each([
  ['hecha', 'done'],
  ['Completado', 'done'],
  ['DONE', 'done'],
  ['descartada', 'dropped'],
  ['en_curso', 'open'],
  ['not done', 'open'],
  ['', 'unknown'],
])('the status %j of an action is read as %s', (status, meaning) => {
  expect(meaningOf(status)).toBe(meaning);
});

describe('where a client stood', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' };
  const mention = ['mention_rate', 'mention_direction', 'mention_to_date', 'mention_line'];
  const columns = [...mention, 'answer_count', 'score', 'usual_mention_change'];
  const row = (until: string) => ['0.2', 'fell', until, '0.3 0.2', '480', '10', '0.1'];
  const rank = { columns: ['score'], rows: [['54.1']] };
  const engines = {
    columns: ['week_date', 'mentioned_count', 'known_count'],
    rows: [
      ['2026-09-21', '0', '100'],
      ['2026-10-05', '30', '50'],
      ['2026-10-26', '10', '50'],
    ],
  };
  const at = (until: string) => standingAt({ columns, rows: [row(until)] }, rank, engines, october).rows[0];

  it('is judged by answers of the period or of the week after it', () => {
    for (const until of ['2026-10-01', '2026-11-07'])
      expect(at(until)).toEqual(['0.2', 'fell', until, '0.3 0.2', '480', '54.1', '0.1']);
  });

  it('has the share of its newest four weeks and no verdict where answers are later', () => {
    for (const until of ['2026-09-30', '2026-11-08'])
      expect(at(until)).toEqual(['0.4', null, null, '0.3 0.2', '100', '54.1', null]);
  });

  it('is nothing where nothing was measured in the period', () => {
    expect(isEmpty(reportData(), october)).toBe(true);
    const of = (charts: Parameters<typeof reportData>[0]) => isEmpty(reportData(charts), october);
    expect(of({ charts: { standing: [{ client_name: 'Café' }] } })).toBe(true);
    expect(of({ charts: { standing: [{ score: '1' }] } })).toBe(false);
    expect(of({ charts: { 'mention-rate': [{ week_date: '2026-09-21' }] } })).toBe(true);
    expect(of({ charts: { 'mention-rate': [{ week_date: '2026-10-05' }] } })).toBe(false);
    expect(of({ charts: { 'changed-pages': [{ run_date: '2026-10-05' }] } })).toBe(false);
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

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

const periodOf = (kind: PeriodKind, date: string | undefined, today: string) =>
  reportPeriod(kind, date === undefined ? undefined : day(date), day(today));

describe('the period of a report', () => {
  it.each([
    ['month', undefined, '2026-11-22', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['month', undefined, '2026-03-01', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['month', '2024-02-29', '2026-11-22', '2024-02-01', '2024-02-29', '2024-01-01', '2024-01-31'],
    ['month', '2025-12-31', '2026-11-22', '2025-12-01', '2025-12-31', '2025-11-01', '2025-11-30'],
    // A Sunday: its week is not over yet.
    ['week', undefined, '2026-11-22', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['week', undefined, '2026-11-23', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['week', '2027-01-03', '2027-06-01', '2026-12-28', '2027-01-03', '2026-12-21', '2026-12-27'],
  ] as const)('%s with %s in it, on %s', (kind, date, today, from, to, beforeFrom, beforeTo) => {
    const before = { from: beforeFrom, to: beforeTo };
    expect(periodOf(kind, date, today)).toEqual({ kind, from, to, isSoFar: false, before });
  });

  it('ends yesterday while it lasts', () => {
    const period = periodOf('month', '2026-11-22', '2026-11-22');
    expect(period).toMatchObject({ from: '2026-11-01', to: '2026-11-21', isSoFar: true });
    expect(periodText(period, 'en')).toBe('November 2026, so far, until 21 Nov 2026');
  });

  it('is refused where none of its days is over', () => {
    expect(() => periodOf('month', '2026-12-24', '2026-11-22')).toThrow(ConfigError);
    expect(() => periodOf('week', '2026-11-23', '2026-11-23')).toThrow(
      'Expected --date to be in a week that began before 2026-11-23, got "2026-11-23"',
    );
  });
});
