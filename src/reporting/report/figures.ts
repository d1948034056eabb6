// What a report says in numbers: read from `bi`, of one client, of a period and the one before.

import type pg from 'pg';
import {
  type ReportRow,
  type ReportScope,
  type ReportStatement,
  readNotes,
  readReportRows,
} from '../reader/statements.ts';
import { meaningOf, type StatusMeaning } from './action-status.ts';
import { plain } from './clients.ts';

interface RankPoint {
  readonly date: string;
  readonly method: string;
  readonly score: number;
  readonly position: number | null;
}

interface RankFigures {
  /** By date, then method. */
  readonly points: readonly RankPoint[];
  readonly newest: RankPoint | undefined;
  /** The point 28 to 41 days older, of the same method. */
  readonly before: RankPoint | undefined;
  /** Another method that was the newest one before the period, and the first date of the method that is now. */
  readonly changedMethod: { readonly from: string; readonly since: string } | undefined;
}

export function rankFigures(rows: readonly ReportRow[], { from }: Pick<ReportScope, 'from'>): RankFigures {
  const points = rows.flatMap((row): RankPoint[] => {
    const { date, method, score, position } = row;
    const [value, place] = [Number(score ?? Number.NaN), Number(position ?? Number.NaN)];
    if (date == null || !Number.isFinite(value)) return [];
    return [{ date, method: method ?? '', score: value, position: Number.isFinite(place) ? place : null }];
  });
  const newest = points.filter(({ date }) => date >= from).at(-1);
  const same = points.filter(({ method }) => method === newest?.method);
  const earlier = points.filter(({ date }) => date < from).at(-1);
  const compared = rows.find((row) => row['is_before'] === 't' || row['is_before'] === 'true');
  const before = same.find(({ date }) => date === compared?.['date']);
  const since = same[0]?.date;
  const isOther =
    earlier !== undefined && since !== undefined && since >= from && earlier.method !== newest?.method;
  return {
    points,
    newest,
    before,
    changedMethod: isOther ? { from: earlier.method, since } : undefined,
  };
}

/** The newest point of a method on or before a date. */
export function pointUntil({ points }: RankFigures, method: string, date: string): RankPoint | undefined {
  return points.findLast((point) => point.method === method && point.date <= date);
}

interface Reading {
  readonly date: string;
  /** First day of a share by engine, which ends on `date`. */
  readonly from?: string | undefined;
  /** Points, 0 to 100; a share as percent; mentions in 100 answers, which may be more than 100. */
  readonly value: number;
  /** What asking the same again would give; undefined: nobody states of how many answers it is. */
  readonly interval?: { readonly low: number; readonly high: number } | undefined;
}

/** A figure that has no verdict. */
export interface Measured {
  readonly kind: 'engine' | 'dimension' | 'competitor';
  readonly name: string;
  readonly now: Reading;
  readonly before: Reading | undefined;
}

/** Of the two figures that have a verdict. Its dates are its own: 28 days, or two points 28 to 41 days apart. */
export interface Verdict {
  readonly now: Span;
  readonly before: Span;
  /** Undefined: it cannot be judged. */
  readonly direction: 'rose' | 'fell' | 'usual' | undefined;
}

interface Span {
  /** First date; of a point the same as the last. */
  readonly from: string;
  readonly to: string;
  /** Points, or percent of the answers. */
  readonly value: number;
}

interface RankVerdict extends Verdict {
  /** Change in points from which on it is clear. */
  readonly usual: number | undefined;
}

interface MentionVerdict extends Verdict {
  readonly questions: number;
  /** Of both periods. */
  readonly answers: number;
}

/** Numbers of pages, each once. */
interface CitedPages {
  readonly gained: number;
  readonly lost: number;
  /** Of both, the brand's own. */
  readonly own: number;
  /** Of both, those of which it is not known whose they are. */
  readonly unknown: number;
}

export interface Action {
  readonly title: string;
  readonly status: string;
  readonly meaning: StatusMeaning;
  /** Empty: nothing says since when. */
  readonly since: string;
  /** It got this status in the period. */
  readonly hasChanged: boolean;
  readonly priority: string;
  readonly postponedUntil: string | null;
  readonly metric: string;
  readonly expectedFrom: number | null;
  readonly expectedTo: number | null;
  readonly observed: number | null;
  readonly reading: string;
  /** Run date of what is said of it beside its status, which may be after the period; null: nothing is. */
  readonly readOn: string | null;
}

interface Experiment {
  readonly name: string;
  readonly metric: string;
  readonly before: Reading;
  readonly after: Reading;
  readonly reading: string;
}

export interface Figures {
  readonly rank: RankFigures;
  readonly rankChange: RankVerdict | undefined;
  readonly mentionChange: MentionVerdict | undefined;
  /** Engines, dimensions of the AI Rank and competitors, each by name. */
  readonly measured: readonly Measured[];
  readonly pages: CitedPages;
  /** Every action with its status at the end of the period, the most urgent first. */
  readonly actions: readonly Action[];
  readonly experiments: readonly Experiment[];
  readonly notes: readonly { readonly date: string; readonly text: string }[];
}

/** @param pool of a role that reads `bi` */
export async function readFigures(pool: pg.Pool, scope: ReportScope): Promise<Figures> {
  const read = (name: ReportStatement) => readReportRows(pool, name, scope);
  const [rank, rankChange, mentionChange] = await Promise.all([
    read('rank'),
    read('rank-change'),
    read('mention-change'),
  ]);
  const [engines, dimensions, competitors] = await Promise.all([
    read('engines'),
    read('dimensions'),
    read('competitors'),
  ]);
  const [pages, actions, experiments] = await Promise.all([
    read('pages'),
    read('actions'),
    read('experiments'),
  ]);
  const notes = await readNotes(pool, scope);
  return {
    rank: rankFigures(rank, scope),
    rankChange: rankChange.map((row) => ({
      ...verdictOf(row, 1),
      usual: numberOf(row['usual_change']) ?? undefined,
    }))[0],
    mentionChange: mentionChange.map((row) => ({
      ...verdictOf(row, 100),
      questions: numberOf(row['question_count']) ?? 0,
      answers: numberOf(row['answer_count']) ?? 0,
    }))[0],
    measured: [
      ...engines.flatMap((row) => measuredOf(row, 'engine', 100)),
      ...dimensions.flatMap((row) => measuredOf(row, 'dimension', 1)),
      ...competitors.flatMap((row) => measuredOf(row, 'competitor', 1)),
    ],
    pages: {
      gained: numberOf(pages[0]?.['gained_count']) ?? 0,
      lost: numberOf(pages[0]?.['lost_count']) ?? 0,
      own: numberOf(pages[0]?.['own_count']) ?? 0,
      unknown: numberOf(pages[0]?.['unknown_count']) ?? 0,
    },
    actions: actions.map(actionOf),
    experiments: experiments.flatMap((row) => {
      const [before, after] = [numberOf(row['before_value']), numberOf(row['after_value'])];
      if (before === null || after === null) return [];
      return [
        {
          name: plain(row['action'] ?? row['experiment_id'] ?? ''),
          metric: plain(textOf(row, 'metric'), 60),
          before: { date: textOf(row, 'window_start_date'), value: before },
          after: { date: textOf(row, 'window_end_date'), value: after },
          reading: plain(textOf(row, 'result_reading'), 60),
        },
      ];
    }),
    notes: notes.map((row) => ({
      date: textOf(row, 'event_date'),
      text: plain([row['title'], row['detail']].filter((part) => part).join(': '), 300),
    })),
  };
}

/** True where nothing was measured in the period: a report would say nothing. */
export function isEmpty({ rank, mentionChange, measured, pages }: Figures): boolean {
  const isAnyPage = pages.gained + pages.lost > 0;
  return rank.newest === undefined && mentionChange === undefined && !isAnyPage && measured.length === 0;
}

function textOf(row: ReportRow, name: string): string {
  return row[name] ?? '';
}

function numberOf(text: string | null | undefined): number | null {
  const number = text == null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

function isTrue(text: string | null | undefined): boolean {
  return text === 't' || text === 'true';
}

/** A share times 100 is rounded: 0.07 is 7, and not 7.000000000000001. */
function scaledOf(row: ReportRow, name: string, factor: 1 | 100): number | null {
  const value = numberOf(row[name]);
  return value === null || factor === 1 ? value : Number((value * factor).toFixed(6));
}

function readingOf(row: ReportRow, when: 'now' | 'before', factor: 1 | 100): Reading | undefined {
  const [date, value] = [row[`${when}_date`], scaledOf(row, `${when}_value`, factor)];
  return date == null || value === null ? undefined : { date, value, from: row[`${when}_from`] ?? undefined };
}

function measuredOf(row: ReportRow, kind: Measured['kind'], factor: 1 | 100): Measured[] {
  const now = readingOf(row, 'now', factor);
  if (now === undefined) return [];
  const [low, high] = [scaledOf(row, 'low_value', factor), scaledOf(row, 'high_value', factor)];
  const interval = low === null || high === null ? undefined : { low, high };
  // A brand where the name competes with several.
  const brand = isTrue(row['has_brands']) ? ` (${plain(textOf(row, 'brand_name'), 60)})` : '';
  const name = `${plain(textOf(row, 'name'))}${brand}`;
  return [{ kind, name, now: { ...now, interval }, before: readingOf(row, 'before', factor) }];
}

function verdictOf(row: ReportRow, factor: 1 | 100): Verdict {
  const spanOf = (when: 'now' | 'before'): Span => {
    const to = textOf(row, `${when}_to`);
    const value = scaledOf(row, `${when}_value`, factor) ?? 0;
    return { from: row[`${when}_from`] ?? to, to, value };
  };
  const { direction } = row;
  const isKnown = direction === 'rose' || direction === 'fell' || direction === 'usual';
  return { now: spanOf('now'), before: spanOf('before'), direction: isKnown ? direction : undefined };
}

function actionOf(row: ReportRow): Action {
  const status = plain(textOf(row, 'status'), 40);
  return {
    title: plain(row['title'] ?? row['action_id'] ?? ''),
    status,
    meaning: meaningOf(status),
    since: textOf(row, 'since_date'),
    hasChanged: isTrue(row['is_new']),
    priority: plain(textOf(row, 'priority'), 20),
    postponedUntil: row['postponed_until_date'] ?? null,
    metric: plain(textOf(row, 'expectation_metric'), 40),
    expectedFrom: numberOf(row['expected_from_value']),
    expectedTo: numberOf(row['expected_to_value']),
    observed: numberOf(row['observed_value']),
    reading: plain(textOf(row, 'result_reading'), 60),
    readOn: row['read_date'] ?? null,
  };
}
