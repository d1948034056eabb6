// The AI Rank over the period, beside the period before, as a picture for paper and for a narrow screen.
import type { DrawContext, Language, Marker, Row } from '../dashboard/charts/chart.ts';
import { lightPalette } from '../dashboard/charts/palette.ts';
import { rankTrend } from '../dashboard/charts/rank-trend.ts';
import type { Figures } from './figures.ts';
import type { ReportPeriod } from './period.ts';

export interface RankPicture {
  readonly unit: string;
  readonly note: string;
  /** One for each width. */
  readonly svgs: readonly { readonly width: 'wide' | 'narrow'; readonly svg: string }[];
}

export interface RankDrawing {
  /** Of the chart, over the period and the one before. */
  readonly rows: readonly Row[];
  readonly period: ReportPeriod;
  readonly language: Language;
  readonly accentColor: string;
  /** What screen readers say of it. */
  readonly label: string;
}

const heightPx = 240;
const widths = { wide: 700, narrow: 350 } as const;

/** Undefined: there is no point to draw. */
export async function drawRank(figures: Figures, drawing: RankDrawing): Promise<RankPicture | undefined> {
  if (figures.rank.newest === undefined) return undefined;
  const { rows, period, language, accentColor, label } = drawing;
  // Loaded here: most commands draw nothing.
  const { renderSvg } = await import('../dashboard/render-svg.ts');
  const context: DrawContext = {
    language,
    palette: { ...lightPalette, series: [accentColor, ...lightPalette.series.slice(1)] },
    period,
    compare: period.before,
    markers: markersOf(figures),
    // The report says how far it moved.
    changes: [],
    clientKey: '',
    gaps: {},
    widthPx: widths.wide,
  };
  const svgs = (['wide', 'narrow'] as const).flatMap((width) => {
    const [drawn] = rankTrend.draw(rows, { ...context, widthPx: widths[width] });
    if (drawn?.type !== 'picture') return [];
    const legend = { ...[drawn.option.legend ?? {}].flat()[0], type: 'plain' as const };
    const svg = renderSvg({ ...drawn.option, legend }, { widthPx: widths[width], heightPx, label });
    return [{ width, svg }];
  });
  return { unit: rankTrend.unit[language], note: rankTrend.note?.[language] ?? '', svgs };
}

/** What happened in the period, so that it can be seen beside the line. */
function markersOf({ actions, notes }: Figures): readonly Marker[] {
  const finished = actions.filter(({ meaning, hasChanged }) => meaning === 'done' && hasChanged);
  return [
    ...finished.map(({ since, title }): Marker => ({ date: since, type: 'action', title })),
    ...notes.map(({ date, text }): Marker => ({ date, type: 'note', title: text })),
  ];
}
