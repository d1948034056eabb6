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
  expect(titleOf(portfolioTiles, [row, { ...row, date: '2026-03-03' }])).toBe(
    '1 client: there is nothing to compare with before this period',
  );
});

it('tiles and trend say the change that they are given, its date, and of how many it is known', () => {
  const row = { client_key: 'a/1', client_name: 'Luna', date: '2026-03-02', score: '40', method: 'v2' };
  const changes = [
    { clientKey: 'a/1', days: 61, date: '2026-03-02', comparedDate: '2025-12-30', change: -10.3 },
    // Of a point that is not shown.
    { clientKey: 'a/2', days: 61, date: '2026-03-01', comparedDate: '2025-12-30', change: 5 },
  ];
  const rows = rowsOf(portfolioTiles, [row, { ...row, client_key: 'a/2' }]);
  const context = drawContext({ changes });
  expect(portfolioTiles.title(rows, context)).toBe('2 clients: 0 rose and 1 fell, of 1 that can be compared');
  const [drawn] = portfolioTiles.draw(
    rows,
    drawContext({ changes, period: { from: '2026-03-01', to: '2026-03-02' } }),
  );
  const [moved, other] = drawn?.type === 'tiles' ? drawn.tiles : [];
  expect(moved).toMatchObject({ change: '−10.3', direction: 'down', note: 'since 30 Dec 2025' });
  expect(other).not.toHaveProperty('change');
  expect(
    rankTrend.title(rowsOf(rankTrend, [{ date: '2026-01-01', method: 'v2', score: '44' }, row]), context),
  ).toBe('The AI Rank is 40 on 2 Mar 2026: −10.3 points since 30 Dec 2025');
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
