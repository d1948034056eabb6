import { describe, expect, it } from 'vitest';
import { actionResults } from '../../src/reporting/dashboard/charts/action-results.ts';
import { actionStatus } from '../../src/reporting/dashboard/charts/action-status.ts';
import { experiments } from '../../src/reporting/dashboard/charts/experiments.ts';
import { predictions } from '../../src/reporting/dashboard/charts/predictions.ts';
import { drawContext } from '../support/draw-context.ts';

const [english, spanish] = [drawContext(), drawContext({ language: 'es' })];

describe('actions by status', () => {
  const rows = [
    ['2026-03-08', 'hecha', '1'],
    ['2026-03-15', 'en_curso', '3'],
    ['2026-03-15', 'hecha', '2'],
  ];

  it('counts those of the newest date', () => {
    expect(actionStatus.title(rows, english)).toBe('5 actions on 15 Mar 2026: 3 en_curso, 2 hecha');
    expect(actionStatus.title(rows.slice(0, 1), spanish)).toBe('1 acción el 8 mar 2026: 1 hecha');
  });

  it('gives each status a value on each date, so that bars stand on one another', () => {
    expect(actionStatus.draw(rows, english)).toMatchObject([
      {
        option: {
          series: [
            {
              name: 'en_curso',
              data: [
                ['2026-03-08', 0],
                ['2026-03-15', 3],
              ],
            },
            {
              name: 'hecha',
              data: [
                ['2026-03-08', 1],
                ['2026-03-15', 2],
              ],
            },
          ],
        },
      },
    ]);
  });
});

describe('actions by status over a year', () => {
  it('draws the last week of each month', () => {
    const rows = ['2026-03-22', '2026-03-29', '2026-04-05', '2026-04-07'].map((date) => [date, 'hecha', '1']);
    const year = drawContext({ period: { from: '2025-05-01', to: '2026-04-30' } });
    expect(actionStatus.draw(rows, year)).toMatchObject([
      {
        option: {
          series: [
            {
              data: [
                ['2026-03-29', 1],
                ['2026-04-07', 1],
              ],
            },
          ],
        },
      },
    ]);
  });
});

describe('expected and observed', () => {
  const row = (metric: string | null, from: string | null, to: string | null, observed: string | null) =>
    ['Guide', 'hecha', null, metric, from, to, observed, null, null, 'f', null, 'a1', '2026-04-01'] as const;

  it('counts results within, above and below what was expected', () => {
    const rows = [
      row('score', '10', '20', '20'),
      row('score', '10', '20', '21'),
      row('score', '10', null, '9.9'),
      // Above the one bound, and the other is not there.
      row('score', '10', null, '11'),
      row('score', null, null, '5'),
      row('score', '1', '2', null),
    ];
    expect(actionResults.title(rows, english)).toBe(
      'Of 3 actions with a result 1 came within what was expected, 1 above and 1 below; 3 not known',
    );
    const unmapped = drawContext({ gaps: { observed_value: 'not_mapped' } });
    expect(actionResults.title(rows.slice(5), unmapped)).toBe('1 action; observed values: not mapped');
    expect(actionResults.title(rows.slice(4, 5), spanish)).toBe('1 acción; valores esperados: sin dato');
  });

  it('draws a picture for each metric', () => {
    const drawings = actionResults.draw(
      [row('score', '1', '2', '3'), row('visits', '10', '20', '30')],
      english,
    );
    expect(drawings).toMatchObject([
      { caption: 'score', option: { series: [{}, {}, { name: 'Observed', data: [{ value: [3, 0] }] }] } },
      { caption: 'visits', option: { series: [{}, {}, { name: 'Observed', data: [{ value: [30, 0] }] }] } },
    ]);
  });
});

describe('experiments', () => {
  const row = (before: string | null, after: string | null) =>
    [
      'Guide',
      'score',
      before,
      after,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      'e1',
      '2026-04-01',
    ] as const;

  it('says how many read higher and lower after the window', () => {
    const rows = [row('1', '2'), row('2', '2'), row('3', '2'), row('3', null)];
    expect(experiments.title(rows, english)).toBe(
      '4 experiments: after the window 1 read higher and 1 lower, of 3 read; 1 not known',
    );
    expect(experiments.draw(rows, english)).toMatchObject([
      { caption: 'score', option: { series: [{ name: 'Before', data: { length: 3 } }, { name: 'After' }] } },
      { type: 'text', text: '1 not drawn: not known' },
    ]);
  });

  it('draws none of which there is no value after', () => {
    expect(experiments.title([row('3', null)], english)).toBe('1 experiment; before and after: not known');
    expect(experiments.draw([row('3', null)], english)).toEqual([{ type: 'table' }]);
  });
});

describe('predictions', () => {
  const row = (date: string, method: string, observed: string | null) =>
    ['2026-04-20', date, method, '50', '45', '55', observed] as const;

  it('counts the dates that came within the bounds', () => {
    const rows = [
      row('2026-04-27', 'v2', '45'),
      row('2026-04-28', 'v2', '56'),
      row('2026-05-04', 'v2', null),
    ];
    expect(predictions.title(rows, english)).toBe(
      'The AI Rank came within the predicted bounds on 1 of 2 dates',
    );
    expect(predictions.title(rows.slice(2), spanish)).toBe('El AI Rank predicho para el 4 may 2026 es 50');
    // Below its lower bound, whatever the upper one is; above it nobody knows.
    const bounded = (observed: string) => ['2026-04-20', '2026-04-29', 'v2', '50', '45', null, observed];
    expect(predictions.title([...rows, bounded('44'), bounded('46')], english)).toBe(
      'The AI Rank came within the predicted bounds on 1 of 3 dates; 1 not known',
    );
  });

  it('reaches to the last predicted date and joins no methods', () => {
    const rows = [row('2026-05-04', 'v1', null), row('2026-05-11', 'v2', null)];
    expect(predictions.draw(rows, english)).toMatchObject([
      {
        option: {
          xAxis: { max: '2026-05-11' },
          series: [
            { name: 'Bounds v1' },
            {},
            { name: 'Predicted v1' },
            {},
            { name: 'Bounds v2' },
            {},
            {},
            {},
          ],
        },
      },
    ]);
  });
});
