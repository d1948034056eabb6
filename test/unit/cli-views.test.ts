import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { viewsText, viewText } from '../../src/cli/commands/views-text.ts';
import { catalogue } from '../../src/db/code/catalogue.ts';
import type { ViewFacts } from '../../src/publish/views/describe-view.ts';
import type { Lack } from '../../src/status/view-readiness.ts';

const colors = picocolors.createColors(false);
const facts: ViewFacts = {
  ...{ view: 'bi.sources', question: 'Which sources do engines cite?', row: 'a domain, as it is now' },
  ...{ rows: 1_234, from: '2026-02-01', to: '2026-03-01' },
  columns: [
    { ...column('client_name', 'text', 1), comment: 'Of every view.' },
    { ...column('domain', 'text', 1), comment: 'Domain that is cited, without its subdomains.' },
    { ...column('citation_count', 'count', 0.004), measure: 'Adds up.' },
    column('rank', 'position', 0),
    column('share_rate', '0 to 1', 0),
  ],
  newest: [
    {
      client_name: 'Clínica Ondas',
      domain: 'example.com',
      citation_count: '3',
      rank: null,
      share_rate: null,
    },
  ],
};

function column(name: string, unit: string, filled: number) {
  return { name, unit, filled, comment: name, fields: [`sources.${name}`], measure: null };
}

test('all views stand below the question that they answer, on 80 columns', () => {
  const lines = catalogue().map(({ view }) => ({ ...facts, view, grain: '', newest: '2026-03-01' }));
  const lacking = [{ view: 'bi.crawler_visits', has_rows: false, lacks: [] }];
  const readiness = { count: 79, with_rows: 78, lacking };
  const text = viewsText(lines, readiness, { width: 80, colors });
  expect(text[0]).toBe('78 of 79 views have data, newest of 2026-03-01; schema bi where none is named');
  const visible = text.indexOf('How visible is the brand?');
  expect(
    text
      .slice(visible + 1, visible + 8)
      .map((line) => line.trim().split(' ')[0])
      .join(' '),
  ).toBe('mention_changes mention_rates rank_dimensions rank_latest rank_trend share_of_voice also:');
  expect(Math.max(...text.slice(1).map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toContain('! No data yet: crawler_visits');
  for (const { name, schema } of catalogue()) {
    if (schema !== 'bi_history') expect(text.join('\n')).toContain(name);
  }
});

test('a view tells its question, what a row is, its own columns, and why some are empty', () => {
  const lack = (column: string, why: Lack['why'], stream = 'sources') =>
    ({ column, shows: 'nothing', field: `sources.${column}`, stream, why }) as const;
  const lacks = [lack('rank', 'not_found'), lack('share_rate', 'absent'), lack('domain', 'failed', 'citas')];
  expect(viewText(facts, lacks, { width: 60, colors })).toEqual([
    'bi.sources: Which sources do engines cite?',
    'A row is a domain, as it is now. 1,234 rows, 2026-02-01 to 2026-03-01.',
    'Beside the columns of every view: client_name.',
    '',
    '  column          unit      filled  what it is',
    '  domain          text       100 %  Domain that is cited,',
    '                                    without its subdomains.',
    '  citation_count  count        1 %  citation_count',
    '  rank            position   empty  rank',
    '  share_rate      0 to 1     empty  share_rate',
    '',
    'Over several rows',
    '  citation_count: Adds up.',
    '',
    '  client_name    domain       citation_count',
    '  Clínica Ondas  example.com  3',
    '',
    '! rank: not found in the data',
    '! share_rate: nothing in the data looks like it',
    '! citas: failed',
    '    airank map sources.rank    if you know where it is',
  ]);
});
