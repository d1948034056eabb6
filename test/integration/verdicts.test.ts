// The falling client of the sandbox is named in report, alerts and demo; the one whose rate never moves is not. Every
// number that a report's sentences say is computed again, from the records themselves where they have it.
import { describe, expect, it } from 'vitest';
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
import { useDatabase } from '../support/test-database.ts';

// Three run dates, 28 days apart: it falls from the first answers on, which begin two days before.
const first = '2026-04-05';
const second = '2026-05-03';
const last = '2026-05-31';
const falling = 'default/bodega luna';
const database = useDatabase(() =>
  createSandboxWarehouse({
    from: first,
    days: [0, 28, 56],
    streams: reportStreams,
    sandbox: { size: 1, asked: day('2026-04-03') },
    onDate: async ({ pool }) => {
      const deps = { db: createDatabase(pool), pool, alerts: unset.alerts, language: 'en' } as const;
      expect((await checkAccount(deps, 'default', [])).broken).toEqual([]);
    },
  }),
);

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

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
      const [, share = '', , rivals = '', , pages = '', actions = ''] = await findingsFor(key);
      const said: readonly (readonly [string, readonly unknown[]])[] = [
        [share, [...(await shareNumbers(key)), ...(await rankNumbers(key))]],
        [rivals, await rivalNumbers(key)],
        [pages, await pageNumbers(key)],
        [actions, await actionNumbers(key)],
      ];
      for (const [sentence, numbers] of said) {
        // Dates, and over how many days, are no figures.
        const figures = sentence.replaceAll(/\d+ [A-Z][a-z]+ 2026|\d+ days/g, '');
        expect([...figures.matchAll(/\d+(\.\d+)?/g)].map(([text]) => Number(text))).toEqual(
          numbers.map(rounded),
        );
      }
    }
  });
});

const rounded = (value: unknown) => Number(Number(value).toFixed(1));

/** A change is told only where it is beyond what the intervals that the service states leave open. */
async function rankNumbers(key: string): Promise<readonly unknown[]> {
  const [now, before] = await database.rows(
    `select method_score::float8 as score, (upper_score - lower_score)::float8 / 2 as half from bi.rank_trend
     where client_key = $1 and date = any (array[$2, $3]::date[]) and is_current_method order by date desc`,
    ...[key, last, second],
  );
  const [score, then] = [Number(now?.['score']), Number(before?.['score'])];
  const usual = (3.5 / 1.9599639845) * Math.hypot(Number(now?.['half']), Number(before?.['half']));
  return Math.abs(score - then) >= usual ? [then, score] : [score];
}

/** From the answers, one by one. */
async function shareNumbers(key: string): Promise<readonly unknown[]> {
  const [found] = await database.rows(
    `with answer as (
       select question, engine, is_mentioned::integer as named, answered_date as date, max(answered_date) over () as newest
       from bi.answers where client_key = $1 and is_mentioned is not null
     ), cell as (
       select question, engine, avg(named) filter (where date > newest - 28) as now, count(*) filter (where date > newest - 28) as answers,
         avg(named) filter (where date between newest - 55 and newest - 28) as before
       from answer group by question, engine
     )
     select avg(now) * 100 as now, count(distinct question) as questions, sum(answers) as answers, avg(before) * 100 as before
     from cell where now is not null and before is not null`,
    key,
  );
  const numbers = Object.values(found ?? {});
  return key === falling ? numbers : numbers.slice(0, 3);
}

/** Of its five nearest rivals, those that are ahead; and how far the nearest is. */
async function rivalNumbers(key: string): Promise<readonly unknown[]> {
  const [found] = await database.rows(
    `with voice as (
       select is_own, share_rate::float8 * 100 as share from bi_history.share_of_voice
       where client_key = $1 and run_date = $2 and share_rate is not null
     ), rival as (
       select r.share - o.share as gap from voice as r, voice as o where not r.is_own and o.is_own order by abs(r.share - o.share) limit 5
     )
     select count(*) as rivals, count(*) filter (where gap > 0) as ahead, min(abs(gap)) as gap from rival`,
    ...[key, last],
  );
  const [rivals, ahead, gap] = Object.values(found ?? {}).map(Number);
  if (ahead === 0 || ahead === rivals) return [rivals, gap];
  return ahead === 1 ? [rivals, gap] : [ahead, rivals, gap];
}

async function actionNumbers(key: string): Promise<readonly unknown[]> {
  const [found] = await database.rows(
    `select count(*) filter (where status = 'hecha' and from_date >= '2026-05-01') as done,
       count(*) filter (where status not in ('hecha', 'descartada')) as open
     from bi.action_status_history where client_key = $1 and coalesce(from_date, first_run_date) <= $2 and coalesce(until_date, 'infinity') > $2`,
    ...[key, last],
  );
  // None is a word.
  return Object.values(found ?? {}).filter((count) => Number(count) > 0);
}

async function pageNumbers(key: string): Promise<readonly unknown[]> {
  const [found] = await database.rows(
    `select count(*) filter (where change = 'gained') as gained, count(*) filter (where change = 'lost') as lost,
       count(*) filter (where change = 'lost' and is_own) as own
     from bi.citation_changes where client_key = $1 and run_date between '2026-05-01' and $2`,
    ...[key, last],
  );
  return Object.values(found ?? {});
}

describe('alerts', () => {
  it('name the falling client and not the other, and say that it is because it is clear', async () => {
    const told = await database.rows(
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
    const ranks = await readRanks(database.db, { from: day(second), to: day(last) });
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
