// The falling client of the sandbox is named in report, alerts and demo; the one whose rate never moves is not. Every
// number that a report's sentences say is computed again, from the records themselves where they have it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccount } from '../../src/alerts/check-account.ts';
import { demoLines } from '../../src/cli/commands/demo-command.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { reportStreams } from '../../src/reporting/report/blockers.ts';
import { findClient, readClientsToReport } from '../../src/reporting/report/clients.ts';
import { reportPeriod } from '../../src/reporting/report/period.ts';
import { makeReport } from '../../src/reporting/report/produce-report.ts';
import { readRanks } from '../../src/status/demo-report.ts';
import { unset } from '../support/config-fixtures.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

// Three run dates, 28 days apart: it falls from the first answers on, which begin two days before.
const first = '2026-04-05';
const second = '2026-05-03';
const last = '2026-05-31';
const falling = 'default/bodega luna';
let database: TestDatabase;

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

async function rows(text: string, ...values: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>(text, [...values])).rows;
}

beforeAll(async () => {
  database = await createSandboxWarehouse({
    from: first,
    days: [0, 28, 56],
    streams: reportStreams,
    sandbox: { size: 1, asked: day('2026-04-03') },
    onDate: async ({ pool }) => {
      const deps = { db: createDatabase(pool), pool, alerts: unset.alerts, language: 'en' } as const;
      expect((await checkAccount(deps, 'default', [])).broken).toEqual([]);
    },
  });
}, 120_000);

afterAll(() => database.drop());

const keys = async () => {
  const found = (await readClientsToReport(database.pool)).map(({ key }) => key);
  expect(found).toHaveLength(2);
  return { steady: found.find((key) => key !== falling) ?? '' };
};

async function sentencesOf(key: string): Promise<readonly string[]> {
  const client = findClient(await readClientsToReport(database.pool), key);
  const made = await makeReport(client, {
    pool: database.pool,
    period: reportPeriod('month', day(last), day('2026-06-01')),
    language: 'en',
    agency: unset.agency,
    logoUrl: undefined,
    today: day('2026-06-01'),
    anyway: false,
    notes: false,
  });
  if (made.state !== 'made') throw new Error(JSON.stringify(made));
  return made.page.sentences;
}

describe('a report', () => {
  it('says of the falling client that it fell, and of the other that it is within its usual range', async () => {
    const { steady } = await keys();
    const said = await Promise.all([falling, steady].map(sentencesOf));
    expect(
      said.map(([rank, mentions]) => [rank?.split(/,|:| by/)[0], mentions?.split(/,|:| by/)[0]]),
    ).toEqual([
      ['The AI Rank fell', 'The share of answers that name the brand fell'],
      [
        'The AI Rank is within its usual range',
        'The share of answers that name the brand is within its usual range',
      ],
    ]);
  });

  it('says no number that is not in the data', async () => {
    for (const key of [falling, (await keys()).steady]) {
      expect(await sentencesOf(key)).toEqual([
        await rankSentence(key),
        await mentionSentence(key),
        await competitorSentence(key),
        await actionSentence(key),
        await pageSentence(key),
      ]);
    }
  });
});

const one = (value: unknown) => String(Number(Number(value).toFixed(1)));
const written = (date: unknown) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${String(date)}T00:00:00Z`),
  );

/** From the intervals that the service states. */
async function rankSentence(key: string): Promise<string> {
  const [now, before] = await rows(
    `select method_score::float8 as score, (upper_score - lower_score)::float8 / 2 as half from bi.rank_trend
     where client_key = $1 and date = any (array[$2, $3]::date[]) and is_current_method order by date desc`,
    ...[key, last, second],
  );
  const [score, then] = [Number(now?.['score']), Number(before?.['score'])];
  const usual = (3.5 / 1.9599639845) * Math.hypot(Number(now?.['half']), Number(before?.['half']));
  const clear = `A change is clear from ${one(usual)} points on.`;
  return Math.abs(score - then) >= usual
    ? `The AI Rank fell by ${one(then - score)} points, from ${one(then)} on ${written(second)} to ${one(score)} on ${written(last)}. ${clear}`
    : `The AI Rank is within its usual range: ${one(score)} on ${written(last)}, ${one(then)} on ${written(second)}. ${clear}`;
}

/** From the answers, one by one. */
async function mentionSentence(key: string): Promise<string> {
  const [found] = await rows(
    `with answer as (
       select question, engine, is_mentioned::integer as named, answered_date as date, max(answered_date) over () as newest
       from bi.answers where client_key = $1 and is_mentioned is not null
     ), cell as (
       select question, engine, newest, avg(named) filter (where date > newest - 28) as now,
         avg(named) filter (where date between newest - 55 and newest - 28) as before
       from answer group by question, engine, newest
     )
     select avg(now) * 100 as now, avg(before) * 100 as before, count(distinct question) as questions, newest::text,
       (newest - 27)::text as since from cell where now is not null and before is not null group by newest`,
    key,
  );
  const [now, before] = [Number(found?.['now']), Number(found?.['before'])];
  const shares = `${one(now)}\u00a0% from ${written(found?.['since'])} to ${written(found?.['newest'])}, ${one(before)}\u00a0% in the 28 days before, to the same ${String(found?.['questions'])} questions.`;
  return key === falling
    ? `The share of answers that name the brand fell by ${one(before - now)} percentage points: ${shares}`
    : `The share of answers that name the brand is within its usual range: ${shares}`;
}

async function competitorSentence(key: string): Promise<string> {
  const all = await rows(
    `select competitor_name as name, mentions_per_100_answers as per_100 from bi_history.share_of_voice
     where client_key = $1 and run_date = $2 and not is_own order by per_100 desc`,
    ...[key, last],
  );
  expect(all.length).toBeGreaterThan(2);
  const list = all.slice(0, 6).map(({ name, per_100: per100 }) => `${String(name)}: ${one(per100)}`);
  const more = all.length > 6 ? `; and ${all.length - 6} more` : '';
  return `Competitors on ${written(last)}, mentions in 100 answers, largest first: ${list.join('; ')}${more}. The order of close ones may be chance.`;
}

async function actionSentence(key: string): Promise<string> {
  const [found] = await rows(
    `select count(*) filter (where status = 'hecha' and from_date >= '2026-05-01')::integer as done,
       count(*) filter (where status not in ('hecha', 'descartada'))::integer as open
     from bi.action_status_history where client_key = $1 and coalesce(from_date, first_run_date) <= $2 and coalesce(until_date, 'infinity') > $2`,
    ...[key, last],
  );
  const [done, open] = [Number(found?.['done']), Number(found?.['open'])];
  const finished = ['No action was', 'One action was'][done] ?? `${done} actions were`;
  return `${finished} finished, and ${['none is', 'one is'][open] ?? `${open} are`} open.`;
}

async function pageSentence(key: string): Promise<string> {
  const [found] = await rows(
    `select count(distinct page_url) filter (where change = 'gained')::integer as gained,
       count(distinct page_url) filter (where change = 'lost')::integer as lost,
       count(distinct page_url) filter (where is_own)::integer as own
     from bi.citation_changes where client_key = $1 and run_date between '2026-05-01' and $2`,
    ...[key, last],
  );
  const { gained, lost, own } = { gained: 0, lost: 0, own: 0, ...found };
  const anew = gained === 1 ? 'One cited page was' : `${gained} cited pages were`;
  return `${anew} gained and ${lost === 1 ? 'one was' : `${lost} were`} lost; ${own} of them ${own === 1 ? 'is' : 'are'} the brand’s own.`;
}

describe('alerts', () => {
  it('name the falling client and not the other, and say that it is because it is clear', async () => {
    const told = await rows(
      `select client_key, rule, alert_date::text as date, title from bi.alerts
       where rule ~ '^(rank|mention)_' and client_id <> '' order by alert_date, rule`,
    );
    expect(told).toEqual([
      expect.objectContaining({ client_key: falling, rule: 'rank_fell', date: second }),
      expect.objectContaining({ client_key: falling, rule: 'mention_fell' }),
      expect.objectContaining({ client_key: falling, rule: 'rank_fell', date: last }),
    ]);
    for (const { title } of told) expect(title).toMatch(/beyond its usual range/);
  });
});

describe('the table at the end of a demo', () => {
  it('names the falling client as falling, and the other not', async () => {
    const ranks = await readRanks(createDatabase(database.pool), { from: day(second), to: day(last) });
    const storage = { versions: 1, records: 1, copies: 1, disc_bytes: 1, version_bytes: 1, copy_bytes: 1 };
    const spent = { dates: 3, requests: 1, last_requests: 1, duration_ms: 1, dashboard: null };
    const lines = demoLines({ from: first, to: last, ...spent, storage, ranks }, 120);
    const verdicts = ranks.map(({ client_key: key, client_name: name }) => [
      key,
      lines.find((line) => line.includes(name))?.match(/ (rose|fell|usual|–) /)?.[1],
    ]);
    expect(Object.fromEntries(verdicts)).toEqual({ [falling]: 'fell', [(await keys()).steady]: 'usual' });
  });
});
