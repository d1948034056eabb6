// Sentences above charts where there is little to say: none, one, not stated, more than is shown.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { actionResults } from '../../src/reporting/dashboard/charts/action-results.ts';
import { actionStatus } from '../../src/reporting/dashboard/charts/action-status.ts';
import { actions } from '../../src/reporting/dashboard/charts/actions.ts';
import { changedPages } from '../../src/reporting/dashboard/charts/changed-pages.ts';
import type { Chart, DrawContext, Row } from '../../src/reporting/dashboard/charts/chart.ts';
import { citationChanges } from '../../src/reporting/dashboard/charts/citation-changes.ts';
import { competitorAlerts } from '../../src/reporting/dashboard/charts/competitor-alerts.ts';
import { competitorClasses } from '../../src/reporting/dashboard/charts/competitor-classes.ts';
import { competitors } from '../../src/reporting/dashboard/charts/competitors.ts';
import { crawlBots } from '../../src/reporting/dashboard/charts/crawl-bots.ts';
import { demandPresence } from '../../src/reporting/dashboard/charts/demand-presence.ts';
import { experiments } from '../../src/reporting/dashboard/charts/experiments.ts';
import { mentionRate } from '../../src/reporting/dashboard/charts/mention-rate.ts';
import { perceptionAttributes } from '../../src/reporting/dashboard/charts/perception-attributes.ts';
import { perceptionClaims } from '../../src/reporting/dashboard/charts/perception-claims.ts';
import { portfolioMovers } from '../../src/reporting/dashboard/charts/portfolio-movers.ts';
import { portfolioTiles } from '../../src/reporting/dashboard/charts/portfolio-tiles.ts';
import { promptGaps } from '../../src/reporting/dashboard/charts/prompt-gaps.ts';
import { rankDimensions } from '../../src/reporting/dashboard/charts/rank-dimensions.ts';
import { rankFigures } from '../../src/reporting/dashboard/charts/rank-figures.ts';
import { rankTrend } from '../../src/reporting/dashboard/charts/rank-trend.ts';
import { sourceAuthority } from '../../src/reporting/dashboard/charts/source-authority.ts';
import { sourceGaps } from '../../src/reporting/dashboard/charts/source-gaps.ts';
import { columnLabel } from '../../src/reporting/dashboard/charts/unknown.ts';
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

const day = { run_date: '2026-03-02', date: '2026-03-02' };
const rank = { figure: 'rank', detail: 'v2', date: '2026-03-02', value: '40' };

/** What is known, and beside it what is not. */
const partlyKnown: readonly (readonly [Chart, string, readonly Values[], string])[] = [
  [actions, 'observed_value', [{ status: 'done' }, {}], '2 actions (done 1, ? 1); observed values: ?'],
  [
    changedPages,
    'citation_count',
    [{ change: 'lost', title: 'A' }],
    '1 change in cited pages, 1 lost; citations: ?',
  ],
  [
    citationChanges,
    'is_own',
    [{ gained_count: '1', lost_count: '3', own_lost_count: '1', unknown_lost_count: '2' }],
    '1 cited page gained and 3 lost, 1 of them your own; owner of 2 lost: ?',
  ],
  [
    competitorClasses,
    'mentions_per_100_answers',
    [{ ...day, competitor_class: 'x', share_rate: '1', competitor_count: '5', known_count: '2' }],
    'Competitors of the class x have 100 % of the mentions; mentions of 3 of 5 competitors: ?',
  ],
  [
    competitors,
    'mentions_per_100_answers',
    // What was known on an older date says nothing of the newest one.
    [
      { run_date: '2026-03-01', competitor_name: 'A', mentions_per_100_answers: '9' },
      { run_date: '2026-03-02', competitor_name: 'B' },
    ],
    'Mentions of competitors: ?',
  ],
  [crawlBots, 'status', [{ bot: 'A', status: 'ok' }, { bot: 'B' }], '2 bots: status of 1: ?, 1 ok'],
  [
    perceptionAttributes,
    'is_own',
    [{ attribute: 'a', mention_count: '3' }, { attribute: 'b' }],
    'Engines name 2 attributes; whose they are: ?',
  ],
  [
    perceptionAttributes,
    'is_own',
    [
      { attribute: 'a', is_own: 'true', polarity: 'positiva', mention_count: '3' },
      { attribute: 'b', is_own: 'true', polarity: 'negativa', mention_count: '1' },
      { attribute: 'c', is_own: 'false', polarity: 'neutra', mention_count: '2' },
      { attribute: 'd', polarity: 'positiva', mention_count: '8' },
    ],
    'Of the brand, 75 % of 4 mentions are positive; of its rivals, 0 % of 2 mentions; owner of 1: ?',
  ],
  [
    perceptionAttributes,
    'polarity',
    [
      { attribute: 'a', is_own: 'true', polarity: 'positiva', mention_count: '3' },
      { attribute: 'b', is_own: 'true', mention_count: '9' },
    ],
    'Of the brand, 100 % of 3 mentions are positive; polarity of 9 mentions: ?',
  ],
  [actionStatus, 'status', [{ ...day, action_count: '3' }], '3 actions on 2 Mar 2026: status of 3: ?'],
  [perceptionClaims, 'verdict', [{ claim: 'a' }], '1 claim of engines (? 1)'],
  [
    promptGaps,
    'priority_level',
    [{ priority_level: '1' }, {}],
    'Rivals appear in 2 questions without the brand, 1 of high priority; priority of 1: ?',
  ],
  [
    rankDimensions,
    'score',
    [
      { ...day, dimension: 'a', score: '4' },
      { ...day, dimension: 'b', score: '4' },
      { ...day, dimension: 'c' },
    ],
    '2 dimensions stand at 4; 1 ?',
  ],
  [rankFigures, 'score', [{ figure: 'actions', value: '3' }], 'AI Rank: ?'],
  [portfolioMovers, 'change_7d', [{ client_name: 'A' }], '1 client: ?'],
];

it.each(partlyKnown.map(([chart, ...told]) => [chart.name, chart, ...told] as const))(
  '%s counts what is known and says what is not, and why',
  (_name, chart, column, rows, said) => {
    const words = { not_mapped: 'not mapped', not_given: 'not given for this client' } as const;
    const titleWith = (gaps: DrawContext['gaps']) => chart.title(rowsOf(chart, rows), drawContext({ gaps }));
    // Columns beside it came without a value.
    const saidAs = (word: string) =>
      said.replaceAll('?', word).replace(`done 1, ${word}`, 'done 1, not known');
    expect(titleWith({})).toBe(saidAs('not known'));
    for (const gap of ['not_mapped', 'not_given'] as const) {
      expect(titleWith({ [column]: gap })).toBe(saidAs(words[gap]));
    }
  },
);

it('clients without a point in the period are not said to have none', () => {
  const rows = [{ client_key: 'a/1' }, { client_key: 'a/2', date: '2025-01-01', score: '9' }];
  expect(titleOf(portfolioTiles, rows)).toBe('2 clients: no comparable point in this period');
  const context = drawContext({ gaps: { score: 'not_mapped' } });
  expect(portfolioTiles.title(rowsOf(portfolioTiles, rows), context)).toBe('2 clients; AI Rank: not mapped');
});

it('a column and a mark without values have the reason beside their name', () => {
  const gaps = { observed_value: 'not_mapped' } as const;
  const column = {
    name: 'observed_value',
    kind: 'number',
    label: { en: 'Observed', es: 'Observado' },
  } as const;
  expect(columnLabel(column, [null, null], gaps)).toEqual({
    en: 'Observed (not mapped)',
    es: 'Observado (sin asignar)',
  });
  expect(columnLabel(column, [null, '0'], gaps)).toBe(column.label);
  expect(columnLabel(column, [null], {})).toBe(column.label);
  const rows = rowsOf(actionResults, [{ expected_from_value: '1', expected_to_value: '2' }]);
  expect(actionResults.draw(rows, drawContext({ gaps }))).toMatchObject([
    { caption: 'metric not known', option: { series: [{}, {}, { name: 'Observed: not mapped', data: [] }] } },
  ]);
  const [gap] = promptGaps.draw(rowsOf(promptGaps, [{ opportunity_score: '5' }, {}]), drawContext());
  expect(gap).toMatchObject({ option: { series: [{}, { name: 'not known', data: [[0, 1]] }] } });
});

it('what has not changed is unchanged, in titles and tiles', () => {
  const unchanged = {
    ...rank,
    change_7d: '0',
    date_7d: '2026-02-23',
    change_28d: '0.04',
    date_28d: '2026-02-02',
  };
  expect(titleOf(rankFigures, [unchanged])).toBe(
    'The AI Rank is 40: unchanged since 23 Feb 2026, unchanged since 2 Feb 2026',
  );
  const [drawn] = rankFigures.draw(rowsOf(rankFigures, [unchanged]), drawContext({ language: 'es' }));
  expect(drawn).toMatchObject({ tiles: [{ change: 'sin cambios', direction: 'same' }] });
  expect(titleOf(portfolioMovers, [{ client_name: 'A', change_7d: '0' }])).toBe('1 client: unchanged');
});

it('a method that is not stated is said so', () => {
  const rows = [
    { date: '2026-03-02', score: '40', method: 'v2' },
    { date: '2026-03-03', score: '41' },
  ];
  expect(titleOf(rankTrend, rows)).toBe('The AI Rank (method not known) is 41 on 3 Mar 2026');
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
