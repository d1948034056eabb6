// Sentences above charts where there is little to say: none, one, not stated, more than is shown.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { actions } from '../../src/dashboard/charts/actions.ts';
import { changedPages } from '../../src/dashboard/charts/changed-pages.ts';
import type { Chart, Row } from '../../src/dashboard/charts/chart.ts';
import { competitorAlerts } from '../../src/dashboard/charts/competitor-alerts.ts';
import { demandPresence } from '../../src/dashboard/charts/demand-presence.ts';
import { experiments } from '../../src/dashboard/charts/experiments.ts';
import { mentionRate } from '../../src/dashboard/charts/mention-rate.ts';
import { perceptionClaims } from '../../src/dashboard/charts/perception-claims.ts';
import { portfolioTiles } from '../../src/dashboard/charts/portfolio-tiles.ts';
import { promptGaps } from '../../src/dashboard/charts/prompt-gaps.ts';
import { rankTrend } from '../../src/dashboard/charts/rank-trend.ts';
import { sourceAuthority } from '../../src/dashboard/charts/source-authority.ts';
import { sourceGaps } from '../../src/dashboard/charts/source-gaps.ts';
import { drawContext } from '../support/draw-context.ts';

type Values = Readonly<Record<string, string>>;

const rowsOf = (chart: Chart, rows: readonly Values[]): Row[] =>
  rows.map((values) => chart.columns.map(({ name }) => values[name] ?? null));
const titleOf = (chart: Chart, rows: readonly Values[], language: 'en' | 'es' = 'en') =>
  chart.title(rowsOf(chart, rows), drawContext({ language }));

it('where no question has little presence the title says what is so', () => {
  const row = { demand_value: '5', presence_rate: '0.5' };
  expect(titleOf(demandPresence, [row, row])).toBe(
    'The brand is in at least half of the answers to all 2 questions with known demand',
  );
  expect(titleOf(demandPresence, [row], 'es')).toBe(
    'La marca está en al menos la mitad de las respuestas a la única pregunta con demanda conocida',
  );
});

it('where no client can be compared nobody rose or fell', () => {
  const row = { client_key: 'a/1', date: '2026-03-02', score: '40', method: 'v2' };
  expect(titleOf(portfolioTiles, [row])).toBe('1 client: there is nothing to compare with yet');
  const later = { ...row, date: '2026-03-03' };
  expect(titleOf(portfolioTiles, [row, later])).toBe('1 client: 0 rose and 0 fell');
});

it('a method that is not stated is said so', () => {
  const rows = [
    { date: '2026-03-02', score: '40', method: 'v2' },
    { date: '2026-03-03', score: '41' },
  ];
  expect(titleOf(rankTrend, rows)).toBe('The AI Rank (method not stated) is 41 on 3 Mar 2026');
});

it('a cell of two lines has room for both', () => {
  const rows = rowsOf(mentionRate, [
    { date: '2026-03-02', engine: 'x', mentioned_count: '1', known_count: '1', answer_count: '1' },
  ]);
  const said = JSON.stringify(mentionRate.draw(rows, drawContext()));
  expect(said).toContain('"lineHeight":13');
});

const limited: readonly (readonly [Chart, number])[] = [
  [actions, 2_000],
  [changedPages, 500],
  [competitorAlerts, 2_000],
  [experiments, 300],
  [perceptionClaims, 2_000],
  [promptGaps, 1_000],
  [sourceAuthority, 500],
  [sourceGaps, 500],
];

it.each(limited.map(([chart, most]) => [chart.name, chart, most] as const))(
  '%s tells as many rows as its statement gives as at least so many',
  (name, chart, most) => {
    const text = readFileSync(`sql/dashboard/${name}.sql`, 'utf8');
    expect(text).toMatch(new RegExp(`(limit|place <=) ${most}\\b`));
    const rows = Array.from({ length: most }, () => ({}));
    expect(titleOf(chart, rows)).toMatch(/\bat least [\d,]+/i);
    expect(titleOf(chart, rows, 'es')).toMatch(/\bal menos [\d.]+/i);
    expect(titleOf(chart, rows.slice(1))).not.toMatch(/at least/i);
  },
);
