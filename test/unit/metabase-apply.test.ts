// Checks what airank metabase does to a Metabase, by a fake one that keeps what it is given, and the files it is made from.
import { afterEach, describe, expect, it } from 'vitest';
import { marked, markIn } from '../../src/reporting/metabase/collection-step.ts';
import { dashboards, layOut } from '../../src/reporting/metabase/dashboards.ts';
import { connectionDetails, isSameConnection } from '../../src/reporting/metabase/database-step.ts';
import { parseQuestion, readMetabaseQuestions } from '../../src/reporting/metabase/question.ts';
import { bring, databaseUrl, done, named } from '../support/apply-fake-metabase.ts';
import { type FakeMetabase, type FakeMetabaseOptions, startFakeMetabase } from '../support/fake-metabase.ts';
import type { Row } from '../support/metabase-forms.ts';

let metabase: FakeMetabase;
afterEach(() => metabase.close());

async function start(options: FakeMetabaseOptions = {}): Promise<void> {
  metabase = await startFakeMetabase(options);
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
    const questions = await readMetabaseQuestions();
    for (const question of questions) {
      const dashboard = dashboards.find(({ pages }) => pages.some(({ key }) => key === question.page));
      const card = named(metabase.state.cards, question.name);
      const shown = named(metabase.state.dashboards, dashboard?.name ?? '')['dashcards'] as Row[];
      const placed = shown.find((one) => one['card_id'] === card.id);
      const filters = dashboard?.filters.map(({ tag }) => tag) ?? [];
      expect(question.tags.map(({ name }) => name).filter((name) => !filters.includes(name))).toEqual([]);
      expect(placed?.['parameter_mappings'], question.key).toHaveLength(question.tags.length);
    }
  });

  it('changes nothing the second time', async () => {
    await applied();
    const [before, count] = [snapshot(), metabase.writes.length];
    expect(done(await bring(metabase))).toEqual([]);
    expect(metabase.writes).toHaveLength(count);
    expect(snapshot()).toBe(before);
  });

  it('goes on after a stop at any write, and ends in the same place', async () => {
    await applied();
    const whole = metabase.writes.length;
    const count = metabase.state.cards.length;
    const firstCard = metabase.writes.indexOf('POST card') + 1;
    for (const breakAfterWrites of [1, firstCard, firstCard + 1, whole - 2, whole - 1]) {
      await metabase.close();
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

const address = 'postgres://bi:sesame-123@db.example.com/airank';

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

describe('a file of sql/metabase', () => {
  it('is refused where its SQL lacks a tag that is declared', () => {
    const without = file((text) => text.replace('{{client}}', 'true'));
    expect(() => parseQuestion('scores', without)).toThrow('(client, currency), got currency');
  });
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
