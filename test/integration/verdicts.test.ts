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
import { findingsOf } from '../../src/reporting/report/report-html.ts';
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

async function findingsFor(key: string): Promise<readonly string[]> {
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
  return findingsOf(made.page);
}

describe('a report', () => {
  it('says of the falling client that it fell, and of the other that it is within its usual range', async () => {
    const { steady } = await keys();
    const said = await Promise.all([falling, steady].map(findingsFor));
    expect(said.map(([headline]) => headline)).toEqual([
      expect.stringMatching(/ fell clearly in its share of answers and in its AI Rank$/),
      expect.stringMatching(/: no clear change in 28 days$/),
    ]);
  });

  it('says no number that is not in the data', async () => {
    for (const key of [falling, (await keys()).steady]) {
      const said = await findingsFor(key);
      expect(said[1]).toBe(`${await shareSentence(key)}. ${await rankSentence(key)}`);
      expect(said.slice(2)).toEqual([
        expect.stringMatching(/engine/),
        await rivalSentence(key),
        expect.stringMatching(/dimensions/),
        await pageSentence(key),
        await actionSentence(key),
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
  return Math.abs(score - then) >= usual
    ? `The AI Rank fell from ${one(then)} on ${written(second)} to ${one(score)} on ${written(last)}`
    : `The AI Rank is ${one(score)}: within its usual range`;
}

/** From the answers, one by one. */
async function shareSentence(key: string): Promise<string> {
  const [found] = await rows(
    `with answer as (
       select question, engine, is_mentioned::integer as named, answered_date as date, max(answered_date) over () as newest
       from bi.answers where client_key = $1 and is_mentioned is not null
     ), cell as (
       select question, engine, avg(named) filter (where date > newest - 28) as now, count(*) filter (where date > newest - 28) as answers,
         avg(named) filter (where date between newest - 55 and newest - 28) as before
       from answer group by question, engine
     )
     select avg(now) * 100 as now, avg(before) * 100 as before, count(distinct question) as questions, sum(answers) as answers
     from cell where now is not null and before is not null`,
    key,
  );
  const share = `${one(found?.['now'])} % of the answers to ${String(found?.['questions'])} questions (${String(found?.['answers'])} answers)`;
  return key === falling
    ? `Named in fewer answers: ${share}, after ${one(found?.['before'])} %`
    : `Named in ${share}: within its usual range`;
}

async function rivalSentence(key: string): Promise<string> {
  const all = await rows(
    `select competitor_name as name, is_own, share_rate::float8 * 100 as share, low_rate::float8 * 100 as low, high_rate::float8 * 100 as high from bi_history.share_of_voice
     where client_key = $1 and run_date = $2 and share_rate is not null`,
    ...[key, last],
  );
  const brand = all.find((row) => row['is_own'] === true);
  const own = Number(brand?.['share']);
  const rivals = all
    .filter((row) => row['is_own'] === false)
    .map(({ name, share }) => ({ name: String(name), gap: Number(share) - own }))
    .sort((a, b) => Math.abs(a.gap) - Math.abs(b.gap) || (a.name < b.name ? -1 : 1))
    .slice(0, 5);
  const more = rivals.filter(({ gap }) => gap > 0).length;
  const first = rivals[0] ?? { name: '', gap: 0 };
  const place = `${first.name} is nearest, ${one(Math.abs(first.gap))} points ${first.gap > 0 ? 'ahead' : 'behind'}${
    own + first.gap >= Number(brand?.['low']) && own + first.gap <= Number(brand?.['high'])
      ? ', which may be chance'
      : ''
  }`;
  return more === 0
    ? `Named in more answers than its ${rivals.length} nearest rivals; ${place}`
    : more === rivals.length
      ? `Named in fewer answers than its ${rivals.length} nearest rivals; ${place}`
      : `${more === 1 ? 'One' : more} of its ${rivals.length} nearest rivals ${more === 1 ? 'is' : 'are'} named in more answers; ${place}`;
}

async function actionSentence(key: string): Promise<string> {
  const [found] = await rows(
    `select count(*) filter (where status = 'hecha' and from_date >= '2026-05-01')::integer as done,
       count(*) filter (where status not in ('hecha', 'descartada'))::integer as open
     from bi.action_status_history where client_key = $1 and coalesce(from_date, first_run_date) <= $2 and coalesce(until_date, 'infinity') > $2`,
    ...[key, last],
  );
  const [done, open] = [Number(found?.['done']), Number(found?.['open'])];
  const finished = ['No action', '1 action'][done] ?? `${done} actions`;
  return `${finished} finished, ${open === 0 ? 'none' : open} open`;
}

async function pageSentence(key: string): Promise<string> {
  const [found] = await rows(
    `select count(*) filter (where change = 'gained')::integer as gained, count(*) filter (where change = 'lost')::integer as lost,
       count(*) filter (where change = 'lost' and is_own)::integer as own, min(run_date)::text as first
     from bi.citation_changes where client_key = $1 and run_date between '2026-05-01' and $2`,
    ...[key, last],
  );
  const { gained, lost, own, first } = { gained: 0, lost: 0, own: 0, first: '', ...found };
  return `Pages gained: ${gained}; lost: ${lost}, ${own} of them your own, since ${written(first)}`;
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
