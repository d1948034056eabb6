// Reports against a synced warehouse: every figure is of the client alone. That they are right: one-change, verdicts.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { fieldsOf } from '../../src/db/code/origin.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { fieldsOf as namedRows } from '../../src/reporting/dashboard/charts/tell.ts';
import { readStatement, reportStatements } from '../../src/reporting/reader/statements.ts';
import { reportStreams } from '../../src/reporting/report/blockers.ts';
import { findClient, type ReportClient, readClientsToReport } from '../../src/reporting/report/clients.ts';
import { type PeriodKind, reportPeriod } from '../../src/reporting/report/period.ts';
import { type MakeOptions, makeReport, produceReport } from '../../src/reporting/report/produce-report.ts';
import { reportCharts } from '../../src/reporting/report/read-report.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

// A whole week, Monday to Sunday, and the day before it.
const [first, last, today] = ['2026-03-01', '2026-03-08', '2026-03-09'];

const database = useDatabase(() => createSandboxWarehouse({ from: first, days: 8 }));
let clients: readonly ReportClient[];
let client: ReportClient;

beforeAll(async () => {
  clients = await readClientsToReport(database.pool);
  client = clients[0] ?? expect.unreachable('no client');
});

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

function optionsFor(some: Partial<MakeOptions> = {}, kind: PeriodKind = 'week', date?: string): MakeOptions {
  const period = reportPeriod(kind, date === undefined ? undefined : day(date), day(today));
  const { agency } = loadConfig({ env: {}, cwd: '/nowhere', needAccounts: false });
  const how = { language: 'es', logoUrl: undefined, anyway: false, notes: false } as const;
  return { pool: database.pool, period, agency, today: day(today), ...how, ...some };
}

async function make(of: ReportClient, options = optionsFor()) {
  const made = await makeReport(of, options);
  if (made.state !== 'made') throw new Error(made.state);
  return made;
}

describe('the figures of a report', () => {
  it('are no others than those of the client', async () => {
    const texts = await database.rows(
      `select client_key, question as text from bi.prompts union all select client_key, competitor_name from bi.share_of_voice
       union all select client_key, title from bi.actions`,
    );
    for (const client of clients) {
      const made = await make(client);
      const own = new Set(texts.filter((one) => one['client_key'] === client.key).map(({ text }) => text));
      const others = texts.filter((one) => one['client_key'] !== client.key && !own.has(one['text']));
      expect(others.length).toBeGreaterThan(5);
      const { charts, actions } = made.page.data;
      for (const row of namedRows(charts.voice.columns, charts.voice.rows))
        if (row.flag('is_own') === false) expect(own).toContain(row.text('competitor_name'));
      for (const row of namedRows(actions.columns, actions.rows)) expect(own).toContain(row.text('title'));
      const plainHtml = made.html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
      for (const { text } of others) expect(plainHtml).not.toContain(`>${String(text)}<`);
      for (const { name } of clients.filter(({ key }) => key !== client.key))
        expect(plainHtml).not.toContain(name);
    }
  });

  it('are never those of the account itself', async () => {
    for (const name of reportStatements) {
      const given = { account: 'default', client_id: '', from: first, to: last };
      const { text, values } = readStatement(`report/${name}`, given);
      const { rows: found } = await database.pool.query<Record<string, unknown>>({ text, values });
      expect(
        found.flatMap((row) => Object.values(row)).filter((value) => value !== null),
        name,
      ).toEqual([]);
    }
    expect(clients.map(({ id }) => id)).not.toContain('');
  });
});

describe('a report', () => {
  it('shows the agency’s own notes only where it says so', async () => {
    await database.pool.query(
      `insert into sync.note (account, client_id, note_date, text) values ($1, $2, '2026-03-05', 'They pay late')`,
      [client.account, client.id],
    );
    try {
      expect((await make(client)).html).not.toContain('They pay late');
      expect((await make(client, optionsFor({ notes: true }))).html).toContain('They pay late');
    } finally {
      await database.pool.query(`delete from sync.note where text = 'They pay late'`);
    }
  });

  it('is none for a period in which nothing was measured', async () => {
    expect(await makeReport(client, optionsFor({}, 'month', '2020-01-15'))).toEqual({ state: 'empty' });
  });

  it('is withheld while a slice that it reads does not reach the end of the period', async () => {
    const period = reportPeriod('week', day('2026-03-09'), day('2026-03-13'));
    const withheld = await makeReport(client, optionsFor({ period }));
    expect(withheld.state).toBe('withheld');
    if (withheld.state !== 'withheld') return;
    expect(withheld.blockers.map(({ stream }) => stream)).toEqual(reportStreams);
    expect(withheld.blockers[0]).toMatchObject({ why: 'stale', completeUntil: last });
    const history = reportPeriod('month', day('2026-03-09'), day('2026-03-13'));
    expect((await make(client, optionsFor({ period: history, anyway: true }))).html).toMatch(
      /no estaba al día cuando se hizo; lo más antiguo está completo hasta el 8 mar 2026/,
    );
  });

  it('is not withheld for ever where the client left, which is said', async () => {
    const later = reportPeriod('week', day('2026-03-10'), day('2026-03-13'));
    const { signal } = new AbortController();
    const how = { again: true, toPdf: undefined, mail: undefined, fileOf: () => '/nowhere/x.html' };
    const produce = (leftOn: string | null) =>
      produceReport({ ...client, leftOn }, { ...optionsFor({ period: later }), ...how, signal });
    expect(await produce(null)).toMatchObject({ state: 'withheld' });
    const { state, detail } = await produce('2026-03-18');
    expect(state).toBe('left');
    expect(detail).toMatch(/^left on 2026-03-18; acciones is stale/);
  });

  it('goes by the streams that its views are made from', async () => {
    const streamOf = new Map(logicalSources.map(({ name, stream }) => [name, stream]));
    const read = new Set(
      [
        ...['clients', ...reportStatements].map((name) => `report/${name}`),
        ...reportCharts.map((name) => `dashboard/${name}`),
      ].flatMap((path) =>
        [...readStatement(path, {}).text.matchAll(/\bbi(?:_history)?\.[a-z_0-9]+/g)].map(([view]) => view),
      ),
    );
    const streams = catalogue()
      .filter(({ view }) => read.has(view))
      .flatMap(({ columns }) => columns.flatMap(({ origin }) => [...fieldsOf(origin)]))
      .flatMap((field) => streamOf.get(field.source) ?? []);
    expect([...new Set(streams)].sort()).toEqual(reportStreams);
  });
});

describe('a client', () => {
  it('is found by key, id or name, and else the nearest one is named', () => {
    for (const given of [client.key, client.id, client.name]) expect(findClient(clients, given)).toBe(client);
    for (const near of [`${client.name}x`, client.name.slice(0, 4).toLowerCase()])
      expect(() => findClient(clients, near)).toThrow(`Did you mean ${client.name} (${client.id})?`);
    expect(() => findClient(clients, '')).toThrow(
      /^Expected the id or the name of a client, got ""\. There are: /,
    );
  });

  it('is asked for by its account where two have its id', () => {
    const twins = ['a', 'b'].map((account) => ({ ...clients[0], account, id: 'c7', key: `${account}/c7` }));
    const all = twins as unknown as readonly ReportClient[];
    expect(() => findClient(all, 'c7')).toThrow('got "c7", which means 2. Use one of a/c7, b/c7');
    expect(findClient(all, 'b/c7').account).toBe('b');
  });
});
