// Checks what the statements of pages decide by themselves: who comes first and why, and who is named instead. Tables
// stand in for the views, so that every case is there.
import { beforeAll, describe, expect, it } from 'vitest';
import { chartStatement } from '../../src/reporting/reader/statements.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

beforeAll(async () => {
  await database.pool.query(`
    create schema mine;
    create table mine.clients as
      select 'a' as account, id as client_id, 'a/' || id as client_key, id as client_name, id = '' as is_account, null::text as client_sector,
        case when id = 'gone' then date '2026-01-01' end as left_on
      from unnest('{"",fine,unjudged,late,alert,muted,over,fell,sank,unclear,gone}'::text[]) as id;
    create table mine.mention_changes as
      select 'a' as account, id as client_id, 0.3 as mention_rate, 0.4 as before_mention_rate, change, case when change <> 0 then change * 10 end as z, clear as is_clear, direction,
        10 as answer_count, 10 as before_answer_count, 5 as question_count, date '2026-03-02' as from_date, date '2026-03-29' as to_date,
        0 as questions_added, 0 as questions_dropped
      from (values ('fine', -0.1, false, 'usual'), ('late', -0.2, false, 'usual'), ('alert', 0.1, true, 'rose'), ('muted', 0.0, false, 'usual'),
        ('over', 0.0, false, 'usual'), ('fell', -0.4, true, 'fell'), ('sank', 0.0, false, 'usual'), ('unclear', -0.5, null, null)
      ) as m (id, change, clear, direction);
    create table mine.rank_latest as
      select 'a' as account, id as client_id, 40 as score, 38 as score_low, 42 as score_high, 'v2' as method, date '2026-03-29' as date,
        -9 + since as change_28d, 49 + since as score_28d, 8 as usual_change, date '2026-03-01' + since as date_28d, clear as change_28d_is_clear, direction as change_28d_direction
      from (values ('sank', true, 'fell'), ('unclear', null, null), ('unjudged', null, null)) as r (id, clear, direction)
      cross join lateral (select case when id <> 'unjudged' then 0 end as since) as s;
    create table mine.rank_trend as
      select 'a' as account, id as client_id, date '2026-03-20' + i as date, i > 1 as is_current_method
      from unnest('{unjudged,sank}'::text[]) as id cross join generate_series(0, 5) as i;
    create table mine.events as
      select 'a' as account, 'c' as client_id, day as event_date, type as event_type, id as event_id, 'T' as title, detail
      from (values (date '2026-03-02', 'action', '1', 'created'), ('2026-03-09', 'action', '1', 'done'), ('2026-03-10', 'note', '1', null)) as e (day, type, id, detail);
    create table mine.actions as
      select 'a' as account, 'c' as client_id, '1' as action_id, 'AI Rank' as expectation_metric, 50 as expected_from_value,
        55 as expected_to_value, 52 as observed_value;
    create table mine.sources as
      select 'a' as account, '' as client_id, 'x.example' as domain, null::text as source_type, 1 as authority_score, 0 as citation_count,
        5 as rival_citation_count, 5 as gap_count, 5 as stated_gap, true as is_gap, 'SOL, Other' as rivals, null::text as opportunity_type,
        null::text as opportunity_reason, 7 as window_days, date '2026-03-29' as run_date;
    create table mine.alerts as
      select 'a' as account, id as client_id, state, muted as is_muted, date '2026-03-29' as alert_date, 1 as alert_id,
        'It fell' as title_en, 'Bajó' as title_es
      from (values ('', 'open', false), ('alert', 'open', false), ('muted', 'open', true), ('over', 'over', false)) as n (id, state, muted);
    create table mine.freshness as
      select 'a' as account, id as client_id, 'rank' as stream, id <> 'late' as is_fresh, date '2026-03-29' as complete_run_date, null::date as client_left_on
      from unnest('{fine,late,fell}'::text[]) as id;
    create table mine.mention_rates as
      select 'a' as account, 'fine' as client_id, date '2026-03-02' + 7 * i as week_date, engine, (i + 1)::bigint as mentioned_count, 10::bigint as known_count,
        (i + 1) / 10.0 as mention_rate, (i + 1) / 10.0 - 0.05 as low_rate, case when i = 0 or engine = 'x' then (i + 1) / 10.0 + 0.08 end as high_rate
      from generate_series(0, 1) as i cross join unnest('{x,y}'::text[]) as engine;
    create table mine.answers as
      select 'a' as account, 'c' as client_id, question, engine, day as answered_date, null::timestamptz as answered_at, mentioned as is_mentioned,
        text as answer_text
      from (values
        ('Which hotel?', 'x', date '2026-03-02', true, 'Luna and Sol'), ('Which hotel?', 'x', '2026-03-09', false, 'sol, not Mar'),
        ('Which hotel?', 'y', '2026-03-09', false, 'Only SOL'), ('Which hotel?', 'y', '2026-03-10', null, 'Sol'),
        ('Which bar?', 'x', '2026-03-09', false, 'none'), ('Which bar?', 'x', '2026-02-01', true, 'Luna')
      ) as t (question, engine, day, mentioned, text);
    create table mine.share_of_voice as
      select 'a' as account, 'c' as client_id, 'Café' as client_name, name as competitor_name, name = 'Luna' as is_own from unnest('{Luna,Sol,Mar}'::text[]) as name;
    create table mine.prompts as
      select 'a' as account, 'c' as client_id, q as question, q as prompt_id, active as is_active, 0.5 as presence_rate
      from (values ('which hotel?', true), ('Which spa?', true), ('Old?', false)) as p (q, active);
    create table mine.prompt_gaps as
      select 'a' as account, 'c' as client_id, q as question, 'Mar' as rivals, 'alta' as priority, 1 as priority_level, 9 as opportunity_score
      from unnest('{Which bar?,Which gym?}'::text[]) as q;
    create table mine.prompt_demand as
      select 'a' as account, 'c' as client_id, 'WHICH SPA?' as question, 7 as demand_value, 'index' as demand_unit;`);
});

const march = { from: '2026-03-01', to: '2026-03-29' };

async function read(name: string, clientId: string, period = march) {
  const scope = { account: 'a', clientId, ...period };
  const { text, values } = chartStatement(name, scope);
  return (await database.pool.query<Record<string, unknown>>(text.replaceAll('bi.', 'mine.'), values)).rows;
}

describe('who needs somebody', () => {
  it('are clear falls first, then open alerts that are not muted, then data that is not up to date', async () => {
    const rows = await read('standing', '');
    expect(rows.map((row) => `${row['client_name']}: ${row['need']}`)).toEqual([
      'fell: fell',
      'sank: fell',
      'alert: open_alert',
      ': open_alert',
      'late: data_not_up_to_date',
      'unclear: cannot_be_judged_yet',
      'fine: nothing_to_do',
      'muted: nothing_to_do',
      'over: nothing_to_do',
      'unjudged: cannot_be_judged_yet',
    ]);
  });

  it.each([
    [
      'why a change cannot be judged, however large it is',
      'unclear',
      { mention_direction: 'few_answers', rank_direction: 'few_changes', mention_change: '-0.5' },
    ],
    ['which alert is open', 'alert', { alerts_en: 'It fell', alerts_es: 'Bajó' }],
    [
      'what is late, and from which change on it is clear',
      'late',
      { late_count: 1, late_routes: 'rank', usual_mention_change: expect.stringMatching(/^0\.350*$/) },
    ],
    [
      'from which change of the AI Rank on it is clear',
      'sank',
      { usual_change: 8, score_28d: 49, rank_since_date: null },
    ],
    // Two engines with as many answers divide the half widths by the root of two.
    [
      'the share over all engines by week, with its interval, and none where one is not known',
      'fine',
      {
        ...{ mention_line: '0.100 0.200', mention_weeks: '2026-03-02 2026-03-09' },
        ...{ mention_low_line: '0.065 0.165', mention_high_line: '0.157 -' },
      },
    ],
    [
      'since when the AI Rank is known, where nothing is 28 days older',
      'unjudged',
      { rank_direction: 'nothing_older', rank_since_date: '2026-03-22' },
    ],
  ])('say %s', async (_, clientId, expected) => {
    expect(await read('standing', clientId)).toMatchObject([expected]);
  });
});

it('an action says what was expected and observed, beside its newest event', async () => {
  const rows = await read('markers', 'c');
  expect(rows.map((row) => [row['event_type'], row['detail'], row['observed_value']])).toEqual([
    ['action', 'created', null],
    ['action', 'done', 52],
    ['note', null, null],
  ]);
});

it('the sources of an account say whose rivals a domain cites', async () => {
  expect((await read('sources', ''))[0]?.['rivals_of']).toBe('Café');
});

describe('questions', () => {
  it('count who is named instead in answers without the brand alone, and else believe the service', async () => {
    const rows = await read('questions', 'c');
    const of = (question: string) => rows.filter((row) => row['question'] === question);
    expect(of('Which hotel?').map((row) => [row['engine'], row['rivals']])).toEqual([
      ['x', 'Sol 2, Mar 1'],
      ['y', 'Sol 2, Mar 1'],
    ]);
    expect(of('Which bar?').map((row) => row['rivals'])).toEqual(['Mar']);
  });

  it('are those that are answered, of the panel and of the gaps, each once, the least named first', async () => {
    const rows = await read('questions', 'c');
    expect([...new Set(rows.map((row) => row['question']))]).toEqual([
      'Which bar?',
      // Never asked here: the service says that rivals are named.
      'Which gym?',
      'Which hotel?',
      'Which spa?',
    ]);
    const spa = rows.find((row) => row['question'] === 'Which spa?');
    expect(spa).toMatchObject({ demand_unit: 'index', question_rate: null });
  });

  it('are compared over 28 days and the 28 before', async () => {
    const rows = await read('questions', 'c', { from: '2026-01-01', to: '2026-03-28' });
    const bar = rows.find((row) => row['question'] === 'Which bar?');
    const names = ['before_known_count', 'before_mentioned_count', 'now_known_count', 'now_mentioned_count'];
    expect(names.map((name) => Number(bar?.[name]))).toEqual([1, 1, 1, 0]);
  });

  it('have the share of judged answers by engine, over all and by week', async () => {
    const rows = (await read('questions', 'c')).filter((row) => row['question'] === 'Which hotel?');
    const figures = rows.map((row) => [
      row['engine'],
      Number(row['mention_rate']),
      Number(row['known_count']),
    ]);
    expect(figures).toEqual([
      ['x', 0.5, 2],
      ['y', 0, 1],
    ]);
    expect(Number(rows[0]?.['question_rate'])).toBeCloseTo(1 / 3, 6);
    expect([rows[0]?.['mention_line'], Number(rows[0]?.['answer_count'])]).toEqual(['1.000 0.000', 4]);
  });
});
