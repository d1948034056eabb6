// The files of sql/metabase: what a header must say, and where questions stand.
import { describe, expect, it } from 'vitest';
import { marked, markIn } from '../../src/reporting/metabase/collection-step.ts';
import { layOut } from '../../src/reporting/metabase/dashboards.ts';
import { parseQuestion } from '../../src/reporting/metabase/question.ts';

const file = (change: (text: string) => string = (text) => text) =>
  change(`/*
name: Scores
about: By date.
page: client
place: 2
size: 12x8
display: line
tags: { client: bi.clients.client_key, currency: text EUR }
settings: { graph.metrics: [score] }
*/
select score from bi.rank_trend where {{client}} and {{currency}} = 'x'
`);

describe('a file of sql/metabase', () => {
  it('is a header and SQL', () => {
    expect(parseQuestion('scores', file())).toEqual({
      key: 'scores',
      name: 'Scores',
      about: 'By date.',
      page: 'client',
      place: 2,
      width: 12,
      height: 8,
      display: 'line',
      tags: [
        { name: 'client', kind: 'field', view: 'bi.clients', column: 'client_key' },
        { name: 'currency', kind: 'text', default: 'EUR' },
      ],
      settings: { 'graph.metrics': ['score'] },
      sql: `select score from bi.rank_trend where client_id = any (array(select client_id from bi.clients where {{client}}))
  and client_key = any (array(select client_key from bi.clients where {{client}})) and {{currency}} = 'x'`,
    });
  });

  it('is refused where its SQL lacks a tag that is declared', () => {
    const without = file((text) => text.replace('{{client}}', 'true'));
    expect(() => parseQuestion('scores', without)).toThrow('(client, currency), got currency');
  });
});

describe('a page', () => {
  it('fills lines from the left, and begins a new one below the highest card', () => {
    const of = (width: number, height: number) => ({ ...parseQuestion('scores', file()), width, height });
    const placed = layOut([of(12, 8), of(12, 4), of(16, 3), of(8, 3), of(24, 2)]);
    expect(placed.map(({ row, col }) => [row, col])).toEqual([
      [0, 0],
      [0, 12],
      [8, 0],
      [8, 16],
      [11, 0],
    ]);
  });
});

describe('the mark in a description', () => {
  const mark = { kind: 'question', key: 'rank-trend' } as const;

  it('is found again, and leaves the text as it was', () => {
    const text = marked('By date.', mark);
    expect(markIn(text)).toEqual(mark);
  });

  it('is not there in what people wrote', () => {
    for (const text of [null, undefined, '', 'By date.', '[airank page x]', `${marked('a', mark)} edited`]) {
      expect(markIn(text)).toBeUndefined();
    }
  });
});
