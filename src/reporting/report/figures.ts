// What a report says in numbers: read from `bi`, of one client, of a period and the one before.

import type pg from 'pg';
import {
  type ReportRow,
  type ReportScope,
  type ReportStatement,
  readNotes,
  readReportRows,
} from '../reader/statements.ts';
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
  /** What it is compared with, over as many days as the period has; of the same method. */
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

/**
 * Of an action's status. The API does not list its words, so known ones of two languages are matched whole; any other word
 * is that of an open action.
 */
type StatusMeaning = 'done' | 'dropped' | 'open' | 'unknown';

const words: Readonly<Record<'done' | 'dropped', string>> = {
  done:
    'hecha hecho completada completado terminada terminado finalizada finalizado publicada publicado implementada ' +
    'implementado aplicada aplicado resuelta resuelto cerrada cerrado done completed complete finished published ' +
    'implemented applied resolved closed shipped live',
  dropped:
    'descartada descartado rechazada rechazado cancelada cancelado anulada anulado discarded rejected cancelled ' +
    'canceled dismissed dropped declined',
};

const meanings = new Map(
  (['done', 'dropped'] as const).flatMap((meaning) =>
    words[meaning].split(' ').map((word) => [word, meaning]),
  ),
);

export function meaningOf(status: string): StatusMeaning {
  const word = status.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
  return meanings.get(word) ?? (word === '' ? 'unknown' : 'open');
}

interface Reading {
  readonly date: string;
  /** Points, 0 to 100; a share as percent; mentions in 100 answers. */
  readonly value: number;
}

/** Something that was measured on two dates. */
export interface Change {
  readonly kind: 'dimension' | 'question' | 'competitor';
  readonly name: string;
  readonly before: Reading;
  readonly now: Reading;
}

/** Values are mentions in 100 answers, which may be more than 100. */
interface Competitor {
  readonly name: string;
  /** Brand that it competes with, where it competes with several; else empty. */
  readonly brand: string;
  readonly now: Reading;
  readonly before: Reading | undefined;
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
  /** Run date on which the status was there first. */
  readonly since: string;
  /** It got this status in the period, and had another one before. */
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
  readonly dimensions: readonly Change[];
  readonly questions: readonly Change[];
  /** The one named most often first. */
  readonly competitors: readonly Competitor[];
  readonly pages: CitedPages;
  /** Every action with its status at the end of the period, the most urgent first. */
  readonly actions: readonly Action[];
  readonly experiments: readonly Experiment[];
  readonly notes: readonly { readonly date: string; readonly text: string }[];
}

/** @param pool of a role that reads `bi` */
export async function readFigures(pool: pg.Pool, scope: ReportScope): Promise<Figures> {
  const read = (name: ReportStatement) => readReportRows(pool, name, scope);
  const [rank, dimensions, questions] = await Promise.all([
    read('rank'),
    read('dimensions'),
    read('questions'),
  ]);
  const [competitors, pages, actions] = await Promise.all([
    read('competitors'),
    read('pages'),
    read('actions'),
  ]);
  const [experiments, notes] = await Promise.all([read('experiments'), readNotes(pool, scope)]);
  return {
    rank: rankFigures(rank, scope),
    dimensions: dimensions.flatMap((row) => changeOf(row, 'dimension', 1)),
    questions: questions.flatMap((row) => changeOf(row, 'question', 100)),
    competitors: competitors.flatMap((row) => {
      const now = readingOf(row, 'now', 1);
      if (now === undefined) return [];
      const brand = isTrue(row['has_brands']) ? plain(textOf(row, 'brand_name'), 60) : '';
      return [{ name: plain(textOf(row, 'name')), brand, now, before: readingOf(row, 'before', 1) }];
    }),
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
export function isEmpty({ rank, dimensions, questions, competitors, pages }: Figures): boolean {
  const measured = [dimensions, questions, competitors];
  const isAnyPage = pages.gained + pages.lost > 0;
  return rank.newest === undefined && !isAnyPage && measured.every((some) => some.length === 0);
}

/** `Rival`, or `Rival (Brand)`. */
export function competitorName({ name, brand }: Pick<Competitor, 'name' | 'brand'>): string {
  return brand === '' ? name : `${name} (${brand})`;
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
function readingOf(row: ReportRow, when: 'now' | 'before', factor: 1 | 100): Reading | undefined {
  const [date, value] = [row[`${when}_date`], numberOf(row[`${when}_value`])];
  if (date == null || value === null) return undefined;
  return { date, value: factor === 1 ? value : Number((value * factor).toFixed(6)) };
}

function changeOf(row: ReportRow, kind: Change['kind'], factor: 1 | 100): Change[] {
  const [before, now] = [readingOf(row, 'before', factor), readingOf(row, 'now', factor)];
  if (before === undefined || now === undefined) return [];
  return [{ kind, name: plain(textOf(row, 'name')), before, now }];
}

function actionOf(row: ReportRow): Action {
  const status = plain(textOf(row, 'status'), 40);
  return {
    title: plain(row['title'] ?? row['action_id'] ?? ''),
    status,
    meaning: meaningOf(status),
    since: textOf(row, 'since_date'),
    hasChanged: isTrue(row['is_new']) && row['previous_status'] != null,
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
