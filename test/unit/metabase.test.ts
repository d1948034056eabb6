// What airank metabase does to a Metabase, by a fake one that keeps what it is given, what it says, and its files.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../src/config/config.ts';
import {
  applyMetabase,
  type BringOptions,
  type Brought,
} from '../../src/reporting/metabase/apply-metabase.ts';
import { marked, markIn } from '../../src/reporting/metabase/collection-step.ts';
import { dashboards, layOut } from '../../src/reporting/metabase/dashboards.ts';
import { connectionDetails, isSameConnection } from '../../src/reporting/metabase/database-step.ts';
import { type Change, createMetabaseHttp } from '../../src/reporting/metabase/metabase-http.ts';
import { parseQuestion, readMetabaseQuestions } from '../../src/reporting/metabase/question.ts';
import { closing } from '../support/closing.ts';
import {
  type FakeMetabase,
  type FakeMetabaseOptions,
  metabaseKey,
  type Row,
  startFakeMetabase,
} from '../support/fake-metabase.ts';
import { airank } from '../support/fake-terminal.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { oneFolder } from '../support/temp-folder.ts';

const address = 'postgres://bi:sesame-123@db.example.com/airank';

/** Parts of bodies that Metabase is given. */
interface CardQuery {
  readonly native: {
    readonly 'template-tags': Readonly<Record<string, { readonly dimension?: readonly unknown[] }>>;
  };
}
interface Mapping {
  readonly parameter_id: string;
  readonly card_id: number;
  readonly target: readonly [string, readonly [string, string]];
}

const databaseUrl = 'postgres://bi:pass%2Fword@db.example.com:5433/airank?sslmode=require';

async function bring(metabase: FakeMetabase, options: Partial<BringOptions> = {}): Promise<Brought> {
  return await applyMetabase({
    url: new URL(metabase.url),
    key: new Secret(metabaseKey),
    signal: new AbortController().signal,
    overwrite: false,
    database: { name: 'AI Rank warehouse', url: databaseUrl, reconnect: false },
    waitMs: 5_000,
    pauseMs: 1,
    ...options,
  });
}

/** Lists what had to be made or changed. */
function done({ changes }: Brought): readonly Change[] {
  return changes.filter(({ what }) => what !== 'same');
}

function named(rows: readonly Row[], name: string): Row {
  const row = rows.find((one) => one['name'] === name);
  if (row === undefined) throw new Error(`no ${name}`);
  return row;
}

const kept = closing();
let metabase: FakeMetabase;

async function start(options: FakeMetabaseOptions = {}): Promise<FakeMetabase> {
  metabase = kept(await startFakeMetabase(options));
  return metabase;
}

async function applied(options: FakeMetabaseOptions = {}): Promise<void> {
  await start(options);
  await bring(metabase);
}

const snapshot = () => JSON.stringify(metabase.state);

describe('airank metabase apply', () => {
  it('makes database, types, keys, questions and dashboards in an empty Metabase', async () => {
    await start();
    const { links } = await bring(metabase);
    const { databases, tables, cards, dashboards: shown, collections } = metabase.state;
    expect(databases).toMatchObject([
      {
        engine: 'postgres',
        details: { host: 'db.example.com', port: 5433, user: 'bi', password: 'pass/word', ssl: true },
      },
    ]);
    const field = (view: string, name: string) =>
      tables.find((table) => table.name === view)?.fields.find((one) => one['name'] === name);
    expect(field('clients', 'client_key')).toMatchObject({ semantic_type: 'type/PK' });
    expect(field('rank_trend', 'client_key')).toMatchObject({
      semantic_type: 'type/FK',
      fk_target_field_id: field('clients', 'client_key')?.id,
    });
    expect(field('rank_trend', 'score')).toMatchObject({ semantic_type: 'type/Score' });
    expect(cards).toHaveLength((await readMetabaseQuestions()).length);
    expect(new Set(cards.map((card) => card['collection_id']))).toEqual(new Set([collections[0]?.id]));
    expect(shown.map(({ name }) => name)).toEqual(['AI Rank: portfolio', 'AI Rank: client']);
    expect(named(shown, 'AI Rank: client')['tabs']).toMatchObject(
      ['Client', 'Competition', 'Questions', 'Sources', 'Business'].map((name) => ({ name })),
    );
    expect(links.map(({ url }) => url)).toEqual(shown.map(({ id }) => `${metabase.url}/dashboard/${id}`));
  });

  it('shows every question on a dashboard, joined with every filter that it has a tag for', async () => {
    await applied();
    const fields = metabase.state.tables.flatMap((table) => table.fields.map(({ id }) => id));
    for (const question of await readMetabaseQuestions()) {
      const dashboard = dashboards.find(({ pages }) => pages.some(({ key }) => key === question.page));
      const card = named(metabase.state.cards, question.name);
      const shown = named(metabase.state.dashboards, dashboard?.name ?? '');
      const placed = (shown['dashcards'] as Row[]).find((one) => one['card_id'] === card.id);
      const parameters = (shown['parameters'] as { id: unknown }[]).map(({ id }) => id);
      const filters = dashboard?.filters.map(({ tag }) => tag) ?? [];
      expect(question.tags.map(({ name }) => name).filter((name) => !filters.includes(name))).toEqual([]);
      const tabs = (shown['tabs'] as Row[]).map(({ id }) => id);
      if (tabs.length > 0) expect(tabs).toContain(placed?.['dashboard_tab_id']);
      const { native } = card['dataset_query'] as CardQuery;
      const mappings = placed?.['parameter_mappings'] as Mapping[];
      expect(mappings, question.key).toHaveLength(question.tags.length);
      for (const { parameter_id, card_id, target } of mappings) {
        expect([card_id, parameters]).toEqual([card.id, expect.arrayContaining([parameter_id])]);
        const { dimension } = native['template-tags'][target[1][1]] ?? expect.fail(question.key);
        expect(target[0]).toBe(dimension === undefined ? 'variable' : 'dimension');
        if (dimension !== undefined) expect(fields).toContain(dimension[1]);
      }
    }
  });

  it('goes on after a stop at any write, and ends in the same place', async () => {
    await applied();
    const whole = metabase.writes.length;
    const count = metabase.state.cards.length;
    const firstCard = metabase.writes.indexOf('POST card') + 1;
    for (const breakAfterWrites of [1, firstCard, firstCard + 1, whole - 2, whole - 1]) {
      await start({ breakAfterWrites });
      await expect(bring(metabase)).rejects.toThrow('Expected Metabase at');
      metabase.heal();
      const { changes } = await bring(metabase);
      const { databases, collections, cards, dashboards: shown } = metabase.state;
      const counts = [databases.length, collections.length, cards.length, shown.length];
      expect(counts, `after ${breakAfterWrites} writes`).toEqual([1, 1, count, 2]);
      expect(changes).not.toContainEqual(expect.objectContaining({ what: 'left' }));
      for (const { dashcards } of shown) expect(dashcards).not.toEqual([]);
      expect(done(await bring(metabase))).toEqual([]);
    }
  }, 60_000);

  it('sends the password in the calls about the connection only, and again only when asked or moved', async () => {
    await applied();
    const count = metabase.writes.length;
    const name = 'AI Rank warehouse';
    await bring(metabase, { database: { name, url: undefined, reconnect: false } });
    expect(metabase.writes).toHaveLength(count);
    await bring(metabase, { database: { name, url: databaseUrl.replace('pass', 'new'), reconnect: true } });
    expect(metabase.state.databases).toMatchObject([{ details: { password: 'new/word' } }]);
    await bring(metabase, { database: { name, url: databaseUrl.replace('db.', 'new.'), reconnect: false } });
    expect(metabase.state.databases).toMatchObject([{ details: { host: 'new.example.com' } }]);
    const { databases: _, ...others } = metabase.state;
    expect(JSON.stringify(others)).not.toContain('word"');
  });
});

it('says which views a Metabase did not read in time', async () => {
  await start({ looks: 1_000 });
  await expect(bring(metabase, { waitMs: 100 })).rejects.toThrow('Metabase did not read bi.account_rank,');
});

describe('work that people made or changed in a Metabase', () => {
  it('leaves what people made: collections, databases, questions and copies of questions', async () => {
    await start({ looks: 1 });
    const { collections, databases, cards } = metabase.state;
    collections.push({ id: 9_001, name: 'AI Rank', description: null });
    databases.push({ id: 9_002, name: 'Shop', description: null, engine: 'mysql', details: {} });
    await bring(metabase);
    const own = named(cards, 'The AI Rank now');
    cards.push({ ...own, id: 9_003, name: 'The AI Rank now - Duplicate', display: 'bar' });
    cards.push({ ...own, id: 9_004, name: 'Mine', description: null });
    const theirs = () => JSON.stringify([collections, databases, cards.filter(({ id }) => id > 9_000)]);
    const before = theirs();
    await bring(metabase, { overwrite: true });
    expect(theirs()).toBe(before);
  });

  it('tells the types of columns whatever Metabase has guessed since, and takes away what it should not guess', async () => {
    await applied({ looks: 1 });
    const field = (view: string, name: string) =>
      named(metabase.state.tables.find((table) => table.name === view)?.fields ?? [], name);
    const guessed = [
      ['mention_rates', 'mention_rate', 'type/Share', 'type/Percentage'],
      ['benchmark', 'sample_status', 'type/State', 'type/Category'],
      ['clients', 'client_country', 'type/State', 'type/Country'],
      ['clients', 'joined_on', 'type/JoinDate', null],
      ['clients', 'created_date', 'type/CreationDate', null],
    ] as const;
    for (const [view, name, guess] of guessed) Object.assign(field(view, name), { semantic_type: guess });
    expect(done(await bring(metabase))).toMatchObject([{ kind: 'fields', what: 'change' }]);
    for (const [view, name, , wanted] of guessed)
      expect(field(view, name), name).toMatchObject({ semantic_type: wanted });
    expect(done(await bring(metabase))).toEqual([]);
  });

  it('takes a database of its name and address for its own only without a description of people’s', async () => {
    await applied({ looks: 1 });
    const [database] = metabase.state.databases;
    Object.assign(database ?? {}, { description: 'Ask Eva before you change it.' });
    const before = snapshot();
    await expect(bring(metabase)).rejects.toThrow(
      'The database "AI Rank warehouse" in Metabase has a description that airank did not write',
    );
    expect(snapshot()).toBe(before);
    Object.assign(database ?? {}, { description: ' ' });
    expect(done(await bring(metabase))).toContainEqual(
      expect.objectContaining({ kind: 'database', what: 'change', why: 'gets the mark of airank' }),
    );
  });

  it('leaves a dashboard that people rearranged, and under overwrite the cards and tabs that they added', async () => {
    await applied();
    const shown = named(metabase.state.dashboards, 'AI Rank: client');
    const [tab] = shown['tabs'] as Row[];
    (shown['tabs'] as Row[]).push({ id: 9_000, name: 'Ours' });
    const text = { virtual_card: { display: 'text' }, text: 'By the agency' };
    (shown['dashcards'] as object[]).push({
      ...{ id: 9_001, card_id: null, dashboard_tab_id: tab?.id, row: 0, col: 0, size_x: 24, size_y: 2 },
      ...{ parameter_mappings: [], visualization_settings: text, series: [] },
    });
    const before = snapshot();
    expect(done(await bring(metabase))).toEqual([]);
    expect(snapshot()).toBe(before);
    await bring(metabase, { overwrite: true });
    expect(shown['tabs']).toContainEqual({ id: 9_000, name: 'Ours' });
    const kept = expect.objectContaining({ id: 9_001, visualization_settings: text });
    expect(shown['dashcards']).toContainEqual(kept);
  });

  it('leaves a question in the trash until told to overwrite', async () => {
    await applied();
    const card = named(metabase.state.cards, 'Share of competitors');
    card['archived'] = true;
    expect(done(await bring(metabase))).toMatchObject([
      { kind: 'question', what: 'left', why: 'it is in the trash' },
    ]);
    expect(card['archived']).toBe(true);
    await bring(metabase, { overwrite: true });
    expect(card['archived']).toBe(false);
    expect(done(await bring(metabase))).toEqual([]);
  });
});

describe('the address of the warehouse', () => {
  it.each([
    ['', {}],
    ['?sslmode=disable', { ssl: false }],
    ['?ssl=true', { ssl: true, 'ssl-mode': 'require' }],
    ['?sslmode=require', { ssl: true, 'ssl-mode': 'require' }],
    ['?sslmode=verify-full', { ssl: true, 'ssl-mode': 'verify-full' }],
  ])('says by "%s" whether Metabase uses TLS', (query, wanted) => {
    const { ssl, 'ssl-mode': mode } = connectionDetails(address + query);
    expect({ ssl, 'ssl-mode': mode }).toEqual(wanted);
  });

  it('holds user and password before the host or as parameters', () => {
    const before = 'postgres://bi:pass%2Fword@db.example.com/airank';
    for (const url of [before, 'postgres://db.example.com/airank?user=bi&password=pass%2Fword'])
      expect(connectionDetails(url)).toMatchObject({ user: 'bi', password: 'pass/word' });
  });

  it.each([
    ['?application_name=bi', 'no parameters but sslmode, ssl, user, password, got application_name. Leave'],
    ['?pass-123%2Fword', 'got another one'],
    ['?sslmode=no-verify', 'an address whose sslmode is one of disable, allow'],
    ['?ssl=maybe', '(or ssl true or false), got another value'],
    ['?ssl=true&sslmode=disable', 'with sslmode or ssl, got both. Leave ssl out'],
  ])('is refused with "%s"', (query, message) => {
    expect(() => connectionDetails(address + query)).toThrow('Expected --warehouse-url to be an');
    expect(() => connectionDetails(address + query)).toThrow(message);
  });

  it.each([
    ['', true],
    ['?sslmode=require', true],
    ['?sslmode=disable', false],
    ['?sslmode=verify-full', false],
  ])('with "%s" is the same as the connection whose TLS Metabase chose: %s', (query, isSame) => {
    const now = { ...connectionDetails(address), ssl: true };
    expect(isSameConnection(now, connectionDetails(address + query))).toBe(isSame);
  });
});

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

it('a file of sql/metabase is refused where its SQL lacks a tag that is declared', () => {
  const without = file((text) => text.replace('{{client}}', 'true'));
  expect(() => parseQuestion('scores', without)).toThrow('(client, currency), got currency');
});

it('a page fills lines from the left, and begins a new one below the highest card', () => {
  const of = (width: number, height: number) => ({ ...parseQuestion('scores', file()), width, height });
  const placed = layOut([of(12, 8), of(12, 4), of(16, 3), of(8, 3), of(24, 2)]);
  expect(placed.map(({ row, col }) => `${row} ${col}`)).toEqual(['0 0', '0 12', '8 0', '8 16', '11 0']);
});

it('a mark is found again, and is not there in what people wrote', () => {
  const mark = { kind: 'question', key: 'rank-trend' } as const;
  expect(markIn(marked('By date.', mark))).toEqual(mark);
  for (const text of [null, undefined, '', 'By date.', '[airank page x]', `${marked('a', mark)} edited`])
    expect(markIn(text)).toBeUndefined();
});

const cwd = oneFolder();
const answering = async (...respond: Parameters<typeof startLoopbackServer>) =>
  kept(await startLoopbackServer(...respond));

const runWithout = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  airank(['metabase', ...args], { cwd, env: { AIRANK_METABASE_KEY: metabaseKey, ...env } });
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runWithout([...args, '--warehouse-url', address], env);

describe('airank metabase', () => {
  it('says what was done, then that everything is there', async () => {
    const { url } = await start({ looks: 1 });
    const applied = await run(['apply', '--url', `${url}/`]);
    expect(applied).toMatchObject({ exitCode: 0, stderr: '' });
    expect(applied.stdout).toContain('+ question   AI Rank over time');
    expect(applied.stdout).toMatch(/\d+ created, 2 changed, 0 left as people changed them; 0 others/);
    expect(applied.stdout).toMatch(/AI Rank: client: http:\/\/127\.0\.0\.1:\d+\/dashboard\/\d+\n$/);
    const again = await run(['apply'], { AIRANK_METABASE_URL: url });
    expect(again.stdout).toMatch(/^Everything is in place\.\n/);
    const json: unknown = JSON.parse((await run(['apply', '--url', url, '--json'])).stdout);
    expect(json).toMatchObject({ links: [{ name: 'AI Rank: portfolio' }, { name: 'AI Rank: client' }] });
  });

  it('names every missing setting at once, as wrong usage', async () => {
    const { exitCode, stderr } = await run(['apply', '--wait-seconds', '0'], { AIRANK_METABASE_KEY: '' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Expected --url or AIRANK_METABASE_URL to be the address of a Metabase');
    expect(stderr).toContain('Expected AIRANK_METABASE_KEY to be set');
    expect(stderr).toContain('Expected --wait-seconds');
  });

  it('asks for the address of the warehouse only where there is none yet', async () => {
    const { url } = await start({ looks: 1 });
    const asked = await runWithout(['apply', '--url', url]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain('Expected --warehouse-url to be the address of the warehouse');
    await run(['apply', '--url', url]);
    expect(await runWithout(['apply', '--url', url])).toMatchObject({ exitCode: 0 });
  });

  it('refuses http beyond this machine, and a user in the address, without repeating it', async () => {
    for (const url of ['http://metabase.example.com', 'https://me:sesame-123@metabase.example.com']) {
      const { exitCode, stderr } = await run(['apply', '--url', url]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Expected --url to be an https address');
      expect(stderr).not.toContain('sesame-123');
    }
  });

  it('says that the key is not taken', async () => {
    const { url } = await start();
    const { exitCode, stderr } = await run(['apply', '--url', url], { AIRANK_METABASE_KEY: 'mb_other' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('got 401: the key is not accepted. Make one under Admin settings');
    expect(stderr).not.toContain('mb_other');
  });

  it('says that the key is of too few rights, and that Metabase is too old', async () => {
    const { url } = await start({ isAdmin: false });
    expect((await run(['apply', '--url', url])).stderr).toContain('to belong to the group Administrators');
    const old = await start({ version: 'v0.49.12' });
    const { stderr } = await run(['apply', '--url', old.url]);
    expect(stderr).toContain('Expected Metabase 0.50 or newer, got v0.49.12. Upgrade it');
    expect([...old.keys]).toEqual([['session/properties', undefined]]);
  });

  it('sends no key to what is no Metabase', async () => {
    const page = await answering((_, response) => response.end('<html>Hello</html>'));
    expect((await run(['apply', '--url', page.url])).stderr).toContain('Is that a Metabase?');
    const none = await answering((_, response) => response.writeHead(404).end());
    expect((await run(['apply', '--url', none.url])).stderr).toContain(
      'got 404: there is no Metabase at this address. Check --url',
    );
    for (const { requests } of [page, none]) {
      expect(requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
    }
  });

  it('follows no redirect, so that the key stays at its address', async () => {
    const other = await answering((_, response) => response.end('{}'));
    const { url } = await answering((request, response) => {
      if (request.url?.endsWith('properties') === true) response.end('{"version":{"tag":"v0.57.0"}}');
      else response.writeHead(302, { location: `${other.url}/login?token=sesame-123` }).end();
    });
    const { exitCode, stderr } = await run(['apply', '--url', url]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`got a redirect to ${other.url}. Use an address that does not redirect`);
    expect(stderr).not.toContain('sesame-123');
    expect(other.requests).toEqual([]);
  });

  it('repeats what Metabase complains of, without key and password', async () => {
    const { url } = await answering((request, response) => {
      const path = request.url ?? '';
      if (path.endsWith('properties')) response.end('{"version":{"tag":"v0.57.0"}}');
      else if (path.endsWith('current')) response.end('{"is_superuser":true}');
      else if (request.method === 'GET') response.end('{"data":[]}');
      else
        response
          .writeHead(400)
          .end(`{"message":"no sesame-123, ${metabaseKey}","errors":{"host":"unknown"}}`);
    });
    const { exitCode, stderr } = await run(['apply', '--url', url]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/POST \/api\/database, got 400: no .*; unknown/);
    expect(stderr).not.toContain('sesame-123');
    expect(stderr).not.toContain(metabaseKey);
  });
});

it('an exchange with Metabase ends in time, also where the answer stops in the middle', async () => {
  const { url } = await answering((_, response) => response.write('{'));
  const { signal } = new AbortController();
  const address = { url: new URL(url), key: new Secret(metabaseKey), signal, timeoutMs: 100 };
  await expect(createMetabaseHttp(address).get('user/current', z.unknown())).rejects.toThrow(
    'to answer GET /api/user/current, got not done after 100 ms',
  );
});
