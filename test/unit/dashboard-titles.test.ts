// Sentences above charts: only what is clear is called a change, and what is not known is neither 0 nor no.
import { describe, expect, it } from 'vitest';
import * as business from '../../src/reporting/dashboard/charts/business.ts';
import type { Chart } from '../../src/reporting/dashboard/charts/chart.ts';
import * as client from '../../src/reporting/dashboard/charts/client.ts';
import * as portfolio from '../../src/reporting/dashboard/charts/portfolio.ts';
import * as questions from '../../src/reporting/dashboard/charts/questions.ts';
import * as sources from '../../src/reporting/dashboard/charts/sources.ts';
import { told } from '../support/draw-context.ts';

const one = {
  question_count: '40',
  answer_count: '640',
  before_answer_count: '620',
  mention_rate: '0.21',
  before_mention_rate: '0.3',
  score: '47.3',
};

describe('where a client stands', () => {
  it.each([
    [
      'fell',
      'fell',
      'Named in 21 % of the answers to 40 questions (640 answers) in 28 days: fell, after 30 % (620 answers). AI Rank 47.3: fell',
    ],
    [
      'usual',
      'rose',
      'Named in 21 % of the answers to 40 questions (640 answers) in 28 days: within its usual range, after 30 % (620 answers). AI Rank 47.3: rose',
    ],
    // A difference without a verdict is no change.
    [
      null,
      null,
      'Named in 21 % of the answers to 40 questions (640 answers) in 28 days, after 30 % (620 answers). AI Rank 47.3',
    ],
  ])('says %s and %s', (mention_direction, rank_direction, text) => {
    expect(told(client.standing, [{ ...one, mention_direction, rank_direction }])).toBe(text);
  });

  it('says it in Spanish, and which questions are left out', () => {
    const row = { ...one, mention_direction: 'usual', questions_added: '2', questions_dropped: '1' };
    expect(told(client.standing, [row], { language: 'es' })).toBe(
      'Nombrada en el 21 % de las respuestas a 40 preguntas (640 respuestas) en 28 días: dentro de lo habitual, tras el 30 % (620 respuestas); 2 preguntas nuevas y 1 retiradas, sin contar. AI Rank 47,3',
    );
  });

  it('has a word for what is not there', () => {
    const gaps = { mention_rate: 'not_given', score: 'not_mapped' } as const;
    expect(told(client.standing, [{ client_name: 'A' }], { gaps })).toBe(
      'Named in: not given for this client. AI Rank not mapped',
    );
  });
});

describe('who needs somebody today', () => {
  const rows = (...needs: string[]) => needs.map((need, place) => ({ client_name: `C${place}`, need }));
  it('are those that fell, have an open alert, or old data; never those that cannot be judged', () => {
    expect(
      told(portfolio.standings, rows('fell', 'open_alert', 'cannot_be_judged_yet', 'nothing_to_do')),
    ).toBe('2 of 4 clients need you today (fell 1, open alert 1, cannot be judged yet 1): C0, C1');
    expect(told(portfolio.standings, rows('data_not_up_to_date', 'nothing_to_do'), { language: 'es' })).toBe(
      '1 de 2 clientes le necesita hoy (datos no al día 1): C0',
    );
  });

  it('may be nobody', () => {
    expect(told(portfolio.standings, rows('nothing_to_do'))).toBe('Nobody needs you today, of 1 client');
  });

  it('cannot be told while nothing can be judged, and why', () => {
    const [first, second] = rows('cannot_be_judged_yet', 'nothing_to_do');
    const unjudged = { ...first, rank_direction: 'nothing_older' };
    expect(told(portfolio.standings, [unjudged])).toBe(
      'Who needs you cannot be told yet, of 1 client: cannot be judged yet, nothing is 28 days older',
    );
    expect(told(portfolio.standings, [unjudged, { ...second }], { language: 'es' })).toBe(
      'Hoy nadie le necesita, de 1 cliente que se pueden juzgar; 1 no: aún no se puede juzgar, no hay nada de 28 días antes',
    );
  });

  it('names the open alerts of the whole account beside its clients', () => {
    const account = {
      client_key: 'a/',
      need: 'open_alert',
      alerts_en: 'A claim is false',
      alerts_es: 'Falsa',
    };
    const client = { client_key: 'a/1', client_name: 'Uno', need: 'nothing_to_do' };
    expect(told(portfolio.standings, [account, client])).toBe(
      'Nobody needs you today, of 1 client. Of the whole account: A claim is false',
    );
    expect(told(portfolio.standings, [account, client], { language: 'es' })).toMatch(
      /De toda la cuenta: Falsa$/,
    );
  });
});

const day = { run_date: '2026-03-02', date: '2026-03-02' };

/** The column that has no value, and why nobody knows it; `?` stands for the word. */
const partlyKnown: readonly (readonly [
  Chart,
  string,
  readonly Readonly<Record<string, string>>[],
  string,
])[] = [
  [
    client.mentionRate,
    'mentioned_count',
    [{ week_date: '2026-03-02', engine: 'chatgpt', answer_count: '5', known_count: '0' }],
    '0 answers judged; whether they name the brand: ?',
  ],
  [
    client.voice,
    'share_rate',
    [
      { ...day, is_own: 'true', competitor_name: 'A' },
      { ...day, is_own: 'false', competitor_name: 'B', share_rate: '0.2' },
    ],
    'Named in ? of the answers; the nearest rivals: B 20 %',
  ],
  [
    questions.questions,
    'is_mentioned',
    [{ question: 'a' }, { question: 'b' }],
    '2 questions; in how many the brand is named: ?',
  ],
  [
    questions.surfaces,
    'state',
    [{ engine: 'x', seen_count: '2', not_seen_count: '1', unknown_count: '4' }],
    'Seen in 2 of 3 places of answers; 4 ?',
  ],
  [
    questions.attributes,
    'is_own',
    [{ attribute: 'a', mention_count: '3' }, { attribute: 'b' }],
    'Engines name 2 attributes; whose they are: ?',
  ],
  [questions.claims, 'verdict', [{ verdict: 'correcta' }, { claim: 'b' }], '2 claims (correct 1, ? 1)'],
  [
    sources.sources,
    'rival_citation_count',
    [{ domain_count: '3', judged_domain_count: '0' }],
    '3 domains; which cite rivals more often: ?',
  ],
  [
    sources.sources,
    'rival_citation_count',
    [{ domain_count: '3', judged_domain_count: '2', gap_domain_count: '1' }],
    '1 of 2 domains cite rivals more often than the brand; 1 ?',
  ],
  [
    sources.citedPages,
    'is_own',
    [{ page_count: '4', own_page_count: '1', judged_page_count: '3' }],
    '4 pages cited, 1 of them your own; 1 ?',
  ],
  [
    sources.changedPages,
    'is_own',
    [
      { ...day, change: 'gained' },
      { ...day, change: 'lost' },
      { ...day, change: 'lost', is_own: 'true' },
    ],
    '1 page gained and 2 lost, 1 of them your own, since 2 Mar 2026; owner of 1 lost: ?',
  ],
  [business.revenue, 'revenue_amount', [{ ...day, currency_code: 'EUR' }], 'Revenue with its currency: ?'],
  [
    business.actions,
    'observed_value',
    [{ status: 'hecha' }, { status: 'en_curso' }],
    '2 actions (done 1, in progress 1); observed values: ?',
  ],
  [business.crawl, 'crawl_status', [{ bot: 'A', visit_count: '3' }], '3 visits of 1 bots (? 1)'],
  [business.productPrices, 'price_amount', [{ title: 'a' }], '1 product: ?'],
  [business.benchmark, 'percentile', [{ ...day, cut: 'global' }], 'Percentile, 0 to 100: ?'],
];

it.each(partlyKnown.map(([chart, column, rows, text]) => [chart.name, column, chart, rows, text] as const))(
  'the title of %s says why %s is not there',
  (_, column, chart, rows, text) => {
    expect(told(chart, rows)).toBe(text.replace('?', 'not known'));
    expect(told(chart, rows, { gaps: { [column]: 'not_mapped' } })).toBe(text.replace('?', 'not mapped'));
    expect(told(chart, rows, { gaps: { [column]: 'not_given' } })).toBe(
      text.replace('?', 'not given for this client'),
    );
  },
);

it('cited pages name the first domain of others', () => {
  const counts = { page_count: '2', own_page_count: '1', judged_page_count: '2' };
  const rows = [
    { ...counts, is_own: 'true', domain: 'own.example' },
    { ...counts, is_own: 'false', domain: 'forum.example' },
  ];
  expect(told(sources.citedPages, rows)).toBe(
    '2 pages cited, 1 of them your own; most cited of others: forum.example',
  );
});

describe('revenue', () => {
  const row = {
    run_date: '2026-03-02',
    currency_code: 'EUR',
    revenue_amount: '1',
    total_amount: '1234567890123.45',
  };
  it('bears its period, and every digit', () => {
    const period = { period_start_date: '2026-02-01', period_end_date: '2026-02-28' };
    expect(told(business.revenue, [{ ...row, ...period }])).toBe(
      'Revenue from AI: 1,234,567,890,123.45 EUR, from 1 Feb 2026 to 28 Feb 2026',
    );
    expect(told(business.revenue, [{ ...row, window_days: '28' }], { language: 'es' })).toBe(
      'Ingresos desde la IA: 1.234.567.890.123,45 EUR, en 28 días según los datos del 2 mar 2026',
    );
  });

  it('says that the period is not known', () => {
    expect(told(business.revenue, [row])).toMatch(/as reported on 2 Mar 2026; of which days is not known$/);
  });
});

it('an action came within, above or below what was expected, whichever end comes first', () => {
  const row = (observed_value: string) => ({
    observed_value,
    expected_from_value: '10',
    expected_to_value: '5',
  });
  expect(told(business.actions, [row('7'), row('11'), row('4'), { status: 'x' }])).toContain(
    'of 3 with an observed value 1 came within what was expected, 1 above and 1 below',
  );
});
