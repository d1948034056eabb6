import { describe, expect, it } from 'vitest';
import { demandPresence } from '../../src/reporting/dashboard/charts/demand-presence.ts';
import { mentionRate } from '../../src/reporting/dashboard/charts/mention-rate.ts';
import { promptGaps } from '../../src/reporting/dashboard/charts/prompt-gaps.ts';
import { surfaceMatrix } from '../../src/reporting/dashboard/charts/surface-matrix.ts';
import { drawContext } from '../support/draw-context.ts';

const [english, spanish] = [drawContext(), drawContext({ language: 'es' })];

describe('mentions by engine and month', () => {
  const rows: readonly (readonly string[])[] = [
    ['2026-03-02', 'chatgpt', '3', '4', '5'],
    ['2026-03-09', 'chatgpt', '0', '1', '1'],
    ['2026-03-09', 'gemini', '0', '0', '2'],
    ['2026-04-06', 'chatgpt', '30', '40', '40'],
  ];

  it('says how many answers of the newest month have the brand', () => {
    expect(mentionRate.title(rows, english)).toBe('The brand is in 75 % of 40 answers in April 2026');
    expect(mentionRate.title(rows.slice(0, 3), english)).toBe(
      'The brand is in 60 % of 5 answers in March 2026; 3 not known',
    );
    const [first = ''] = rows[0] ?? [];
    const clipped = drawContext({ language: 'es', period: { from: first, to: '2026-03-31' } });
    expect(mentionRate.title(rows.slice(0, 3), clipped)).toBe(
      'La marca aparece en el 60 % de 5 respuestas desde el 2 mar 2026; 3 sin dato',
    );
  });

  it('compares with the month before where that is whole, of the same engines, and of 20 answers', () => {
    const before = ['2026-03-02', 'chatgpt', '10', '20', '20'];
    const now = ['2026-04-06', 'chatgpt', '30', '40', '40'];
    const after = ', after 50 % of 20 answers the month before';
    expect(mentionRate.title([before, now], english)).toContain(after);
    expect(mentionRate.title([before, now], spanish)).toContain(
      'tras el 50 % de 20 respuestas el mes anterior',
    );
    const others = [
      [['2026-03-02', 'chatgpt', '19', '19', '19']],
      [['2026-03-02', 'gemini', '10', '20', '20']],
      [before, ['2026-03-02', 'gemini', '1', '1', '1']],
      [['2026-02-27', 'chatgpt', '10', '20', '20']],
    ];
    for (const rows of others) {
      const period = { from: '2026-02-01', to: '2026-04-30' };
      expect(mentionRate.title([...rows, now], drawContext({ period }))).not.toContain('after');
    }
    const late = drawContext({ period: { from: '2026-03-02', to: '2026-04-30' } });
    expect(mentionRate.title([before, now], late)).not.toContain('after');
  });

  it('adds up the answers of a month and tells how many there were when they are few', () => {
    // Labels are functions, for braces in them must mean nothing.
    const picture = JSON.stringify(mentionRate.draw(rows, english), (_, value: unknown) =>
      typeof value === 'function' && value.length === 0 ? String(value()) : value,
    );
    expect(picture).toContain('60%\\nn 5');
    expect(picture).toContain('"75%"');
  });

  it('counts no answer that nobody judged', () => {
    expect(JSON.stringify(mentionRate.draw(rows, english))).toContain(
      'Mar 2026, gemini: 2 answers, not known',
    );
    const unmapped = drawContext({ gaps: { is_mentioned: 'not_mapped' } });
    expect(mentionRate.title([['2026-03-09', 'gemini', '0', '0', '2']], unmapped)).toBe(
      '2 answers; whether the brand is in them: not mapped',
    );
  });

  it('leaves a month without answers empty', () => {
    const picture = JSON.stringify(
      mentionRate.draw([rows[0] ?? [], ['2026-05-06', 'chatgpt', '1', '1', '1']], english),
    );
    expect(picture).toContain('Apr 2026, chatgpt: 0 answers');
  });
});

describe('surfaces by engine', () => {
  const rows = [
    ['chatgpt', 'text', '2', '1', '0', '0', '2026-04-01'],
    ['chatgpt', 'ads', '0', '0', '3', '0', '2026-04-01'],
    ['chatgpt', 'maps', '0', '3', '0', '0', '2026-04-01'],
    ['chatgpt', 'shopping', '0', '0', '0', '3', '2026-04-01'],
    ['gemini', 'text', '1', '0', '1', '1', '2026-04-01'],
  ];

  it('tells apart what was seen, was not seen, cannot be observed, and is not known', () => {
    const picture = JSON.stringify(surfaceMatrix.draw(rows, english));
    expect(picture).toContain('chatgpt, Ads: not available: 3');
    expect(picture).toContain('chatgpt, Maps: seen on 0 of 3');
    expect(picture).toContain('chatgpt, Shopping: not known: 3');
    expect(picture).toContain('gemini, Text: seen on 1 of 1, not available: 1, not known: 1');
    expect(JSON.stringify(surfaceMatrix.draw(rows, spanish))).toContain('chatgpt, Compras: sin dato: 3');
    expect(surfaceMatrix.title(rows, english)).toBe(
      'Seen on 2 of the 3 surfaces of engines that are known; 1 not available; 1 not known',
    );
    expect(surfaceMatrix.title(rows.slice(3, 4), spanish)).toBe(
      'De ninguna superficie se sabe si se vio; 1 sin dato',
    );
  });

  it('draws a share, an empty cell and a grey one in three ways', () => {
    const [drawing] = surfaceMatrix.draw(rows, english);
    if (drawing?.type !== 'picture') throw new Error('no picture');
    const series = drawing.option['series'] as { data: { detail: string }[]; itemStyle: object }[];
    expect(series.map(({ data }) => data.length)).toEqual([3, 1, 1]);
    expect(series.map(({ itemStyle }) => 'borderType' in itemStyle)).toEqual([false, true, false]);
  });
});

describe('presence against demand', () => {
  const rows = [
    ['a', 'observed', 'searches', '120', 'available', 'up', '0.2', '3', '2026-04-01'],
    ['b', 'observed', 'searches', '80', 'available', 'up', '0.5', '3', '2026-04-01'],
    ['c', 'observed', 'index', '7', 'available', 'up', '0.9', '1', '2026-04-01'],
    ['d', 'proxy', 'index', '5', 'available', null, '0.9', '1', '2026-04-01'],
    ['e', null, null, null, 'not_available', null, '0.1', '9', '2026-04-01'],
  ];

  it('draws a picture for each type and unit of demand', () => {
    const captions = demandPresence
      .draw(rows, english)
      .map((drawing) => (drawing.type === 'picture' ? drawing.caption : drawing.type));
    expect(captions).toEqual([
      'Observed demand (index)',
      'Observed demand (searches)',
      'Demand by proxy (index)',
      'text',
    ]);
  });

  it('does not draw as zero what is not available', () => {
    const [drawing] = demandPresence.draw(rows.slice(4), english);
    expect(drawing).toEqual({ type: 'text', text: '1 not drawn: not available' });
    expect(demandPresence.title(rows, english)).toBe(
      'In 1 of 4 questions with known demand the brand is in fewer than half of the answers; 1 not available',
    );
    const unknown = ['f', null, null, null, 'available', null, '0.1', '9', '2026-04-01'];
    const context = drawContext({ gaps: { demand_value: 'not_given' } });
    expect(demandPresence.title([unknown], context)).toBe(
      'Demand and presence of 1 question: not given for this client',
    );
  });
});

describe('questions without the brand', () => {
  it('counts the urgent ones, and draws no bar where no opportunity is known', () => {
    const row = ['a', 'alta', '2', '80', 'Rival', 'chatgpt', '2026-03-01', '2026-04-01'];
    expect(promptGaps.title([row, [...row.slice(0, 2), '3', ...row.slice(3)]], english)).toBe(
      'Rivals appear in 2 questions without the brand, 1 of high priority',
    );
    expect(promptGaps.draw([[...row.slice(0, 3), null, ...row.slice(4)]], english)).toEqual([
      { type: 'table' },
    ]);
  });

  it('says how many of them it shows', () => {
    const rows = Array.from({ length: 30 }, (_, place) => [
      `q${place}`,
      'alta',
      '2',
      '80',
      null,
      null,
      null,
      null,
    ]);
    expect(promptGaps.draw(rows, english)).toMatchObject([{ type: 'picture', caption: '12 of 30 shown' }]);
  });
});
