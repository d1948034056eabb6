// Sentences above charts: only what is clear is called a change, and what is not known is neither 0 nor no.
import { describe, expect, it } from 'vitest';
import * as business from '../../src/reporting/dashboard/charts/business.ts';
import type { Chart } from '../../src/reporting/dashboard/charts/chart.ts';
import * as client from '../../src/reporting/dashboard/charts/client.ts';
import { formatValue } from '../../src/reporting/dashboard/charts/format.ts';
import * as portfolio from '../../src/reporting/dashboard/charts/portfolio.ts';
import * as questions from '../../src/reporting/dashboard/charts/questions.ts';
import * as sources from '../../src/reporting/dashboard/charts/sources.ts';
import { fields, headlined, telling, told } from '../support/draw-context.ts';

const one = {
  client_name: 'Luna',
  question_count: '40',
  answer_count: '640',
  mention_rate: '0.21',
  before_mention_rate: '0.3',
  score: '47.3',
  score_28d: '52',
  date: '2026-03-29',
  date_28d: '2026-03-01',
};

describe('where a client stands', () => {
  it.each([
    ['fell', 'fell', 'Luna fell clearly in its share of answers and in its AI Rank'],
    ['fell', 'usual', 'Luna fell clearly in its share of answers'],
    ['usual', 'rose', 'Luna rose clearly in its AI Rank'],
    ['rose', 'fell', 'Luna fell clearly in its AI Rank and rose clearly in its share of answers'],
    ['usual', 'few_changes', 'Luna: no clear change in 28 days'],
    ['few_answers', 'nothing_older', 'Luna: no change can be judged yet'],
    [null, null, 'Luna: no change can be judged yet'],
  ])('is, where it %s and %s, %s', (mention_direction, rank_direction, text) => {
    expect(headlined(client.standing, [{ ...one, mention_direction, rank_direction }])).toBe(text);
  });

  it.each([
    [
      'fell',
      'rose',
      ': 21 % of the answers to 40 questions (640 answers), after 30 %. The AI Rank rose from 52 on 1 Mar 2026 to 47.3 on 29 Mar 2026',
    ],
    // A difference without a verdict is no change.
    [null, null, 'Named in 21 % of the answers to 40 questions (640 answers). The AI Rank is 47.3'],
  ])('says %s and %s beside the pictures', (mention_direction, rank_direction, text) => {
    expect(told(client.standing, [{ ...one, mention_direction, rank_direction }])).toContain(text);
  });

  it('names a date before which no change can be judged only where nothing else is waited for', () => {
    const begun = { client_name: 'Luna', score: '50', mention_direction: 'nothing_older' };
    const both = { ...begun, mention_weeks: '2026-04-20', rank_direction: 'nothing_older' };
    expect(headlined(client.standing, [{ ...both, rank_since_date: '2026-04-13' }])).toBe(
      'Luna: no change can be judged before 11 May 2026',
    );
    const few = { ...begun, mention_weeks: '2026-04-20', rank_direction: 'few_changes' };
    expect(headlined(client.standing, [few])).toBe('Luna: no change can be judged yet');
    expect(told(client.standing, [{ ...both, rank_since_date: '2026-04-13' }])).toMatch(
      /The AI Rank is 50: cannot be judged yet, nothing is 28 days older, not before 11 May 2026$/,
    );
  });

  it('says in Spanish which questions are left out', () => {
    const row = { ...one, mention_direction: 'usual', questions_added: '2', questions_dropped: '1' };
    expect(told(client.standing, [row], { language: 'es' })).toBe(
      'Nombrada en el 21 % de las respuestas a 40 preguntas (640 respuestas): dentro de lo habitual; 2 preguntas nuevas y 1 retiradas, sin contar. El AI Rank es 47,3',
    );
  });
});

it('an address is shown without what all have, and as it is where its percent signs are broken', () => {
  expect(formatValue('https://www.example.com/caf%C3%A9/', 'url', 'en')).toBe('example.com/café');
  expect(formatValue('https://example.com/%E0%A4%A', 'url', 'en')).toBe('example.com/%E0%A4%A');
});

describe('engines', () => {
  const week = (week_date: string, engine: string, mentioned_count: string) => ({
    ...{ week_date, engine, mentioned_count, known_count: '10', answer_count: '10' },
  });
  it('are compared over four weeks and the four before, where those were measured, and the least one is named', () => {
    const before = [week('2026-03-02', 'chatgpt', '8'), week('2026-03-02', 'gemini', '2')];
    const now = [week('2026-03-30', 'chatgpt', '6'), week('2026-03-30', 'gemini', '3')];
    expect(told(client.mentionRate, [...before, ...now])).toBe(
      'Named in fewer answers than in the four weeks before by 1 of 2 engines, in more by 1; Gemini in the fewest, 30 %',
    );
    expect(told(client.mentionRate, now.slice(0, 1))).toBe('ChatGPT names it in 60 % of its answers');
  });
});

describe('who needs somebody today', () => {
  it.each([
    ['fell open_alert cannot_be_judged_yet nothing_to_do', '2 of 4 clients need somebody today: C0, C1'],
    ['data_not_up_to_date fell fell fell', '4 of 4 clients need somebody today: C0, C1, C2, …'],
    ['nothing_to_do', 'Nobody needs you today, of 1 client'],
  ])('are of %s those: %s', (needs, text) => {
    const rows = needs.split(' ').map((need, place) => ({ client_name: `C${place}`, need }));
    expect(headlined(portfolio.standings, rows)).toBe(text);
  });

  const mentions = { mention_direction: 'fell', mention_change: '-0.204' };

  it('cannot be told while nothing can be judged, and why', () => {
    const unjudged = { client_name: 'A', need: 'cannot_be_judged_yet', rank_direction: 'nothing_older' };
    expect(headlined(portfolio.standings, [unjudged])).toBe(
      'It is not known yet who needs you, of 1 client: cannot be judged yet, nothing is 28 days older',
    );
    const begun = { ...unjudged, rank_since_date: '2026-04-13' };
    expect(headlined(portfolio.standings, [begun, { ...begun, rank_since_date: '2026-04-20' }])).toBe(
      'No change of 2 clients can be judged before 11 May 2026: nothing is 28 days older',
    );
    const rest = { client_name: 'B', need: 'nothing_to_do' };
    expect(headlined(portfolio.standings, [unjudged, rest], { language: 'es' })).toBe(
      'Hoy nadie le necesita, de 1 cliente que se pueden juzgar; 1 no: aún no se puede juzgar, no hay nada de 28 días antes',
    );
  });

  it.each([
    [
      { need: 'fell', ...mentions, rank_direction: 'fell', change_28d: '-18.1' },
      'C first: named in 20.4 points fewer answers, and 18.1 points lower in AI Rank',
    ],
    [
      { need: 'open_alert', alerts_en: 'Its site refuses ClaudeBot\nOlder' },
      'C first: Its site refuses ClaudeBot',
    ],
    [{ need: 'data_not_up_to_date' }, 'C first: its data is not up to date'],
    [{ need: 'nothing_to_do' }, 'No client fell clearly, and no alert is open'],
    [{ need: 'cannot_be_judged_yet' }, 'No client can be judged yet; figures are there of 0 of 1 client'],
  ])('the first of them is said with its reason: %j', (row, text) => {
    expect(told(portfolio.standings, [{ client_name: 'C', ...row }])).toBe(text);
  });

  it.each([
    [
      { need: 'open_alert', alerts_en: 'A\nB', alert_count: '2', alert_dates: '2026-03-04 2026-03-01' },
      ['A', 'open since 4 Mar 2026; 1 more'],
    ],
    [
      { need: 'data_not_up_to_date', late_count: '4', route_count: '9', late_routes: 'a, b, c, d' },
      ['4 of 9 routes not up to date', 'a, b, c, …'],
    ],
    [
      { need: 'cannot_be_judged_yet', rank_direction: 'nothing_older', rank_since_date: '2026-04-20' },
      [expect.anything(), 'not before 18 May 2026'],
    ],
  ])('says beside a row what is open, late, or not judged and until when: %#', (row, why) => {
    expect(fields([row]).map((one) => portfolio.whyOf(one, telling()))).toEqual([why]);
  });
});

describe('the picture of the portfolio', () => {
  const said = (rows: readonly Readonly<Record<string, string>>[]) =>
    told(portfolio.ranks, [], { beside: () => fields(rows) });
  const fell = { client_name: 'A', rank_direction: 'fell', change_28d: '-18.1' };
  const rose = { client_name: 'B', rank_direction: 'rose', change_28d: '20' };
  const usual = { client_name: 'C', rank_direction: 'usual', change_28d: '-40' };
  it('says who moved clearly, the largest first, and of how many', () => {
    expect(said([fell, rose, usual])).toBe(
      '2 of 3 AI Ranks moved beyond their usual range: B rose 20 points, A fell 18.1 points',
    );
  });

  it('says that none did, or that none can be judged', () => {
    expect(said([usual])).toBe('No AI Rank moved beyond its usual range, of 1 that can be judged');
    expect(said([{ client_name: 'A', rank_direction: 'few_changes', change_28d: '-50' }])).toBe(
      'No change of an AI Rank can be judged yet',
    );
    const begun = { client_name: 'A', rank_direction: 'nothing_older', rank_since_date: '2026-04-20' };
    expect(said([begun])).toBe('No change of an AI Rank can be judged before 18 May 2026');
  });
});

describe('the account itself', () => {
  const account = { client_key: 'a/', need: 'open_alert', alerts_en: 'A claim is false', alerts_es: 'Falsa' };
  const other = { client_key: 'a/1', client_name: 'Uno', need: 'nothing_to_do' };
  it('stands beside its clients, and is one of them where there is no other', () => {
    const [own, uno] = fields([account, other]);
    if (own === undefined || uno === undefined) throw new Error('no rows');
    expect([own, uno].map((row) => portfolio.standings.keep?.(row, [own, uno]))).toEqual([false, true]);
    expect([own, uno].map((row) => portfolio.accountAlerts.keep?.(row, [own, uno]))).toEqual([true, false]);
    expect(portfolio.standings.keep?.(own, [own])).toBe(true);
  });
});

/** The column that has no value, and why nobody knows it; `?` stands for the word. */
const partlyKnown: readonly [Chart, string, readonly Readonly<Record<string, string>>[], string][] = [
  [
    client.mentionRate,
    'mentioned_count',
    [{ week_date: '2026-03-02', engine: 'chatgpt', answer_count: '5', known_count: '0' }],
    '0 answers judged; whether they name the brand: ?',
  ],
  [questions.claims, 'verdict', [{ verdict: 'correcta' }, { claim: 'b' }], '2 claims (correct 1, ? 1)'],
  [
    sources.sources,
    'rival_citation_count',
    [{ domain_count: '3', judged_domain_count: '0' }],
    '3 domains; which cite rivals more often: ?',
  ],
  [
    sources.citedPages,
    'is_own',
    [{ page_count: '4', own_page_count: '1', judged_page_count: '3' }],
    '4 pages cited, 1 of them your own; 1 ?',
  ],
  [
    business.actions,
    'observed_value',
    [{ status: 'hecha' }, { status: 'en_curso' }],
    '2 actions (done 1, in progress 1); results of actions: ?',
  ],
  [business.crawl, 'error_rate', [{ bot: 'A', visit_count: '3' }], '3 visits of 1 bot; errors: ?'],
];

it.each(partlyKnown.map(([chart, column, rows, text]) => [chart.name, column, chart, rows, text] as const))(
  'the title of %s says why %s is not there',
  (_, column, chart, rows, text) => {
    expect(told(chart, rows)).toBe(text.replace('?', 'not known'));
    expect(told(chart, rows, { gaps: { [column]: 'not_mapped' } })).toBe(text.replace('?', 'not mapped'));
  },
);

describe('questions', () => {
  const question = (...[beforeKnown, before, nowKnown, now]: readonly string[]) => ({
    ...{ question: `${beforeKnown}${before}${nowKnown}${now}`, question_rate: '0' },
    ...{ before_known_count: beforeKnown ?? null, before_mentioned_count: before ?? null },
    ...{ now_known_count: nowKnown ?? null, now_mentioned_count: now ?? null },
  });
  it('are lost and won by what answers said, and compared where both parts have some', () => {
    const rows = ['4140', '4042', '4241', '0044'].map((counts) => question(...counts));
    expect(headlined(questions.questionLists, [...rows, { ...question(...'4040'), rivals: 'Sol 2' }])).toBe(
      '1 of 4 questions were lost and 1 won; in 1 rivals are named alone',
    );
    expect(headlined(questions.questionLists, [question()])).toBe(
      'No question can be compared with the 28 days before',
    );
  });
});

describe('where to get in', () => {
  it('is said of an account by the clients whose rivals are cited', () => {
    const row = { is_gap: 'true', judged_domain_count: '9', domain_count: '9', gap_domain_count: '3' };
    const rows = ['Sol', 'Luna; Sol', 'A; B; Luna; Sol', null].map((rivals_of) => ({ ...row, rivals_of }));
    expect(told(sources.sources, [...rows, { is_gap: 'false', rivals_of: 'B' }])).toBe(
      '3 of 9 domains cite rivals more often than the brand; rivals of Sol in 3, of Luna in 2, of A in 1, …',
    );
  });

  it.each([
    [
      { never_domain_count: '3', gap_domain_count: '4' },
      '3 domains cite rivals and never the brand: first forum.example',
    ],
    [
      { never_domain_count: '0', gap_domain_count: '4' },
      '4 domains cite rivals more often than the brand: first forum.example',
    ],
    [{ never_domain_count: '0', gap_domain_count: '0' }, 'No domain cites rivals more often than the brand'],
    [{ judged_domain_count: '0' }, 'Which domains cite rivals more often is not known'],
  ])('is said of %j', (row, text) => {
    expect(headlined(sources.sources, [{ domain: 'forum.example', judged_domain_count: '9', ...row }])).toBe(
      text,
    );
  });
});

describe('revenue', () => {
  const row = { currency_code: 'EUR', revenue_amount: '1' };
  const from = (period_start_date: string, period_end_date: string, total_amount: string) => ({
    ...row,
    ...{ period_start_date, period_end_date, total_amount },
  });
  const october = from('2026-10-01', '2026-10-31', '6571');
  it.each([
    [
      [from('2026-02-01', '2026-02-28', '1234567890123.45')],
      'Revenue from AI: 1,234,567,890,123.45 EUR from 1 Feb 2026 to 28 Feb 2026',
    ],
    [
      [october, from('2026-11-01', '2026-11-20', '3590')],
      'Revenue from AI: 3,590 EUR from 1 Nov 2026 to 20 Nov 2026, a period that is not over; 6,571 EUR in the one before',
    ],
    [
      [october, from('2026-11-01', '2026-11-30', '7000')],
      'Revenue from AI: 7,000 EUR from 1 Nov 2026 to 30 Nov 2026; 6,571 EUR in the one before',
    ],
    [
      [
        { ...row, total_amount: '7' },
        { ...row, currency_code: 'USD', total_amount: '5' },
      ],
      'Revenue from AI: 7 EUR, for unknown days. 5 USD, for unknown days',
    ],
  ])('bears its period and every digit, and is never added: %#', (rows, text) => {
    expect(told(business.revenue, rows)).toBe(text);
  });
});

describe('results of actions', () => {
  const row = (observed_value: string | null, expected_to_value: string | null = '5') => ({
    observed_value,
    expected_from_value: '10',
    expected_to_value,
  });
  it.each([
    [[row('7'), row('11'), row('4')], '2 of 3 actions with a result reached what was expected, or more'],
    [[row('4'), row(null)], 'none of 1 action with a result reached what was expected'],
    [[row(null)], 'results of actions: not known'],
  ])('%#: what was reached, whichever end comes first', (rows, text) => {
    expect(headlined(business.actions, rows)).toBe(text);
  });
});

describe('beside its nearest rivals', () => {
  const row = (competitor_name: string, share_rate: string | null) => ({
    ...{ run_date: '2026-04-03', competitor_name, is_own: String(competitor_name === 'own'), share_rate },
  });
  const said = (...rivals: (string | null)[]) =>
    told(client.voice, [row('own', '0.4'), ...rivals.map((share, place) => row(`R${place}`, share))]);

  it.each([
    [['0.3', '0.35'], 'Named in more answers than its 2 nearest rivals; R1 is nearest, 5 points behind'],
    [['0.5'], 'Named in fewer answers than its nearest rival; R0 is nearest, 10 points ahead'],
    [
      ['0.5', '0.3', '0.4'],
      'One of its 3 nearest rivals is named in more answers; R2 is nearest, with as many',
    ],
    [[null], 'In how many answers rivals are named: not known'],
  ])('%#', (rivals, text) => {
    expect(said(...rivals)).toBe(text);
  });
});
