// The AI Rank over the period, beside the period before, as a picture.
import type { Language, Marker, Row } from '../dashboard/charts/chart.ts';
import { rankTrend } from '../dashboard/charts/client.ts';
import { drawTrend } from '../dashboard/charts/draw-trend.ts';
import { svgText } from '../dashboard/charts/svg.ts';
import { fieldsOf } from '../dashboard/charts/tell.ts';
import type { Figures } from './figures.ts';
import type { ReportPeriod } from './period.ts';

export interface RankPicture {
  readonly unit: string;
  readonly note: string;
  /** As wide as its place. */
  readonly svg: string;
}

export interface RankDrawing {
  /** Of the statement rank-trend, over the period and the one before. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly period: ReportPeriod;
  readonly language: Language;
  /** What screen readers say of it. */
  readonly label: string;
}

/** Undefined: there is no point to draw. */
export function drawRank(figures: Figures, drawing: RankDrawing): RankPicture | undefined {
  if (figures.rank.newest === undefined) return undefined;
  const { columns, rows, period, language, label } = drawing;
  const [form] = rankTrend.forms;
  if (form?.as !== 'trend') return undefined;
  const picture = drawTrend(fieldsOf(columns, rows), form, {
    language,
    period: { from: period.before.from, to: period.to },
    markers: markersOf(figures),
    label,
  });
  if (picture === undefined) return undefined;
  return { unit: rankTrend.unit[language], note: rankTrend.note?.[language] ?? '', svg: svgText(picture) };
}

/** What happened in the period, so that it can be seen beside the line. */
function markersOf({ actions, notes }: Figures): readonly Marker[] {
  const finished = actions.filter(({ meaning, hasChanged }) => meaning === 'done' && hasChanged);
  return [
    ...finished.map(({ since, title }): Marker => ({ date: since, type: 'action', title })),
    ...notes.map(({ date, text }): Marker => ({ date, type: 'note', title: text })),
  ];
}
