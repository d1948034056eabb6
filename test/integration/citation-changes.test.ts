// Compares gained and lost pages with the published records, where a record's key repeats and so holds content.
import { beforeAll, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let truth: readonly Change[];

const first = '2026-03-01' as RunDate;
const dates = [0, 1, 2, 5, 6, 9].map((day) => addDays(first, day));
const clients = ['7', '8'];

interface Change {
  readonly client: string;
  readonly date: string;
  readonly change: 'gained' | 'lost';
  readonly url: string;
  readonly citations: number;
}

const recordOf = (client: string, page: number | string, motor: string, citas: number) => ({
  titulo: `Tema ${Number(page) % 3}`,
  url: `https://siete.example/${page === 11 ? 'larga/'.repeat(600) : page}`,
  dominio: 'siete.example',
  motores: [motor],
  citas,
  cliente: client,
});

/** Each page in up to three records with one title, so that nothing but content tells them apart; counts always move. One page stays. */
const recordsOf = (client: string, day: number) => [
  recordOf(client, 'siempre', 'uno', 1),
  ...Array.from({ length: 12 }, (_, page) => page).flatMap((page) =>
    ['uno', 'dos', 'tres']
      .filter((_, engine) => (page * 7 + (day + Number(client)) * (engine + 2) + engine) % 5 > 2)
      .map((motor, engine) => recordOf(client, page, motor, ((page + day * 3) % 8) + engine)),
  ),
];

beforeAll(async () => {
  for (const [day, runDate] of dates.entries()) {
    const publish = (records: readonly unknown[], clientId = '') =>
      publishRecords(database.db, { stream: 'citations', runDate, records, clientId, key: [['titulo']] });
    // One client by itself, the other among the account's.
    await publish(recordsOf('7', day), '7');
    await publish(recordsOf('8', day));
  }
  await refreshMapping(database.db);
  truth = await readTruth();
}, 60_000);

/** Counted from what is published of each date. */
async function readTruth(): Promise<Change[]> {
  const rows = await database.rows<Omit<Change, 'change'>>(
    `select s.run_date as date, r.payload ->> 'cliente' as client, r.payload ->> 'url' as url,
       sum((r.payload ->> 'citas')::integer)::integer as citations
     from sync.slice as s join snapshot.citations as r using (account, client_id)
     where s.stream = 'citations' and s.completed_at is not null and r.run_date <= s.run_date and r.until > s.run_date
     group by 1, 2, 3`,
  );
  const on = (client: string, date: string | undefined) =>
    new Map(
      rows.filter((row) => row.client === client && row.date === date).map((row) => [row.url, row.citations]),
    );
  return clients.flatMap((client) =>
    dates.slice(1).flatMap((date, index) => {
      const [before, now] = [on(client, dates[index]), on(client, date)];
      const missing = (from: typeof now, other: typeof now, change: Change['change']) =>
        [...from].flatMap(([url, citations]) =>
          other.has(url) ? [] : [{ client, date, change, url, citations }],
        );
      return [...missing(now, before, 'gained'), ...missing(before, now, 'lost')];
    }),
  );
}

const sorted = (changes: readonly object[]) => changes.map((one) => JSON.stringify(one)).sort();

it('the keys of such records hold content, and far more of them came and went than pages', async () => {
  const [changes] = await database.lines(
    `select count(*) from snapshot.citations where run_date > $1`,
    first,
  );
  expect(truth.length).toBeGreaterThan(20);
  expect(Number(changes)).toBeGreaterThan(2 * truth.length);
});

it('a page is gained with its first record and lost with its last one', async () => {
  const rows = await database.rows(
    `select client_id as client, run_date as date, change, page_url as url, citation_count as citations from bi.citation_changes`,
  );
  expect(sorted(rows)).toEqual(sorted(truth));
});

it('the pages cited now are those of the newest run date, each with the date on which it was gained', async () => {
  const rows = await database.rows(
    `select client_id as client, page_url as url, citation_count as citations, engines, gained_date as gained from bi.cited_pages`,
  );
  const expected = clients.flatMap((client) =>
    [...groupBy(recordsOf(client, dates.length - 1), ({ url }) => url)].map(([url, records]) => ({
      ...{ client, url },
      citations: records.reduce((sum, { citas }) => sum + citas, 0),
      engines: records
        .flatMap(({ motores }) => motores)
        .sort()
        .join(', '),
      // Dates are in their order.
      gained:
        truth.findLast((one) => one.client === client && one.url === url && one.change === 'gained')?.date ??
        null,
    })),
  );
  expect(expected.filter(({ gained }) => gained === null).length).toBeGreaterThan(0);
  expect(sorted(rows)).toEqual(sorted(expected));
});
