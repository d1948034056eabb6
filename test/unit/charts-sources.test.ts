import { describe, expect, it } from 'vitest';
import { changedPages } from '../../src/reporting/dashboard/charts/changed-pages.ts';
import { citationChanges } from '../../src/reporting/dashboard/charts/citation-changes.ts';
import { crawlBots } from '../../src/reporting/dashboard/charts/crawl-bots.ts';
import { crawlErrors } from '../../src/reporting/dashboard/charts/crawl-errors.ts';
import { sourceAuthority } from '../../src/reporting/dashboard/charts/source-authority.ts';
import { sourceGaps } from '../../src/reporting/dashboard/charts/source-gaps.ts';
import { drawContext } from '../support/draw-context.ts';

const [english, spanish] = [drawContext(), drawContext({ language: 'es' })];

describe('cited pages gained and lost', () => {
  const rows = [
    ['2026-03-02', '3', '0', '1', '0'],
    ['2026-03-09', '1', '2', '0', '1'],
  ];

  it('draws gained pages upwards and lost ones downwards', () => {
    expect(citationChanges.title(rows, english)).toBe('4 cited pages gained and 2 lost, 1 of them your own');
    expect(citationChanges.title(rows.slice(0, 1), spanish)).toBe('3 páginas citadas ganadas y 0 perdidas');
    expect(citationChanges.title([['2026-03-02', '1', '1', '0', '1']], spanish)).toBe(
      '1 página citada ganada y 1 perdida, 1 de ellas propia',
    );
    expect(citationChanges.draw(rows, english)).toMatchObject([
      {
        option: {
          series: [
            { name: 'Gained' },
            {
              name: 'Lost',
              data: [
                ['2026-03-02', 0],
                ['2026-03-09', -2],
              ],
            },
          ],
        },
      },
    ]);
  });

  it('names the most cited page that was lost', () => {
    const lost = ['2026-03-09', 'lost', 'https://a.example/1', 'a.example', 'First', '3', 'f'];
    const more = ['2026-03-08', 'lost', 'https://a.example/2', 'a.example', null, '9', 'f'];
    expect(changedPages.title([lost, more], english)).toBe(
      '2 changes in cited pages; the most cited page lost is https://a.example/2',
    );
    expect(changedPages.title([['2026-03-09', 'gained', 'x', 'x', 'x', '3', 'f']], english)).toBe(
      '1 change in cited pages, none lost',
    );
  });
});

describe('sources', () => {
  it('tells domains that cite rivals more often by their shape', () => {
    const rows = [
      ['a.example', 'forum', '40', '10', '20', 'Rival', '2026-04-01'],
      ['b.example', 'forum', null, '5', '2', null, '2026-04-01'],
      ['c.example', 'forum', '70', '4', '4', null, '2026-04-01'],
    ];
    expect(sourceAuthority.title(rows, english)).toBe(
      'a.example is cited most (10); 1 of 3 domains cite rivals more often',
    );
    const unknown = ['d.example', 'forum', '50', '3', null, null, '2026-04-01'];
    expect(sourceAuthority.title([...rows, unknown], spanish)).toBe(
      'a.example es el más citado (10); 1 de 3 dominios citan más a los rivales; 1 sin dato',
    );
    const unmapped = drawContext({ gaps: { rival_citation_count: 'not_mapped' } });
    expect(sourceAuthority.title([unknown], unmapped)).toBe(
      'd.example is cited most (3) of 1 domain; citations for rivals: not mapped',
    );
    expect(sourceAuthority.draw([unknown], unmapped)).toMatchObject([
      {
        option: { series: [{ data: [] }, { data: [] }, { name: 'not mapped', data: [{ value: [50, 3] }] }] },
      },
    ]);
    expect(sourceAuthority.draw(rows, english)).toMatchObject([
      {
        option: {
          series: [
            { symbol: 'triangle', data: [{ value: [40, 10] }] },
            { symbol: 'circle', data: [{ value: [70, 4] }] },
          ],
        },
      },
      { type: 'text', text: '1 not drawn: not known' },
    ]);
  });

  it('draws no gap that is only stated, on a scale of its own', () => {
    const row = ['a.example', null, null, null, '0.4', null, null, null, '2026-04-01'];
    expect(sourceGaps.draw([row], english)).toEqual([{ type: 'table' }]);
    expect(sourceGaps.title([row], english)).toBe(
      '1 domain cites rivals more than the brand; of 1 only the API says so, citations: not known',
    );
    expect(sourceGaps.title([['b.example', '7', '1', '8', null, null, null, null, null], row], spanish)).toBe(
      '2 dominios citan más a los rivales que a la marca; la mayor brecha es de 7 citas, en b.example; en 1 solo lo dice la API, citas: sin dato',
    );
  });
});

describe('bots', () => {
  const bot = (name: string | null, status: string, visits: string | null) =>
    [name, status, null, null, null, visits, null, null, null, null, '2026-04-01'] as const;

  it('adds up the visits of a bot by status, the most visited first', () => {
    const rows = [bot('A', 'ok', '5'), bot('B', 'ok', '9'), bot('A', 'ok', '2'), bot('B', 'blocked', null)];
    expect(crawlBots.title(rows, english)).toBe('2 bots: 1 blocked, 2 ok');
    expect(crawlBots.draw(rows, english)).toMatchObject([
      {
        option: {
          series: [
            { name: 'blocked', data: [null, null] },
            { name: 'ok', data: [9, 7] },
          ],
        },
      },
    ]);
    expect(crawlBots.draw([bot('A', 'ok', null)], english)).toEqual([{ type: 'table' }]);
  });

  it('names the bot that fails most on the newest date', () => {
    const rows = [
      ['2026-03-01', 'A', '0.5', '9'],
      ['2026-03-02', 'A', '0.1', '9'],
      ['2026-03-02', 'B', '0.124', '9'],
    ];
    expect(crawlErrors.title(rows, english)).toBe('B fails most: 12.4 % of its visits on 2 Mar 2026');
  });
});
