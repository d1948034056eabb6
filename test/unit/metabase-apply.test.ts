// Checks what airank metabase does to a Metabase, by a fake one that keeps what it is given.
import { afterEach, describe, expect, it } from 'vitest';
import { dashboards } from '../../src/reporting/metabase/dashboards.ts';
import { readMetabaseQuestions } from '../../src/reporting/metabase/question.ts';
import { bring, databaseUrl, done, named } from '../support/apply-fake-metabase.ts';
import { type FakeMetabase, type FakeMetabaseOptions, startFakeMetabase } from '../support/fake-metabase.ts';
import type { Row } from '../support/metabase-forms.ts';

let metabase: FakeMetabase;
afterEach(() => metabase.close());

async function start(options: FakeMetabaseOptions = {}): Promise<void> {
  metabase = await startFakeMetabase(options);
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
    await start();
    await bring(metabase);
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
    await start();
    await bring(metabase);
    const [before, count] = [snapshot(), metabase.writes.length];
    expect(done(await bring(metabase))).toEqual([]);
    expect(metabase.writes).toHaveLength(count);
    expect(snapshot()).toBe(before);
  });

  it('goes on after a stop at any write, and ends in the same place', async () => {
    await start();
    await bring(metabase);
    const whole = metabase.writes.length;
    const count = metabase.state.cards.length;
    const firstCard = metabase.writes.indexOf('POST card') + 1;
    await metabase.close();
    for (const breakAfterWrites of [1, firstCard, firstCard + 1, whole - 3, whole - 2, whole - 1]) {
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
      await metabase.close();
    }
    await start();
  }, 60_000);

  it('sends the password in the calls about the connection only, and again only when asked or moved', async () => {
    await start();
    await bring(metabase);
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
    await start({ looks: 1 });
    await bring(metabase);
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
    await start({ looks: 1 });
    await bring(metabase);
    const [database] = metabase.state.databases;
    Object.assign(database ?? {}, { description: 'Ask Eva before you change it.' });
    const [before, count] = [snapshot(), metabase.writes.length];
    await expect(bring(metabase)).rejects.toThrow(
      'The database "AI Rank warehouse" in Metabase has a description that airank did not write',
    );
    expect(metabase.writes).toHaveLength(count);
    expect(snapshot()).toBe(before);
    Object.assign(database ?? {}, { description: ' ' });
    expect(done(await bring(metabase))).toContainEqual(
      expect.objectContaining({ kind: 'database', what: 'change', why: 'gets the mark of airank' }),
    );
  });

  it('leaves a dashboard that people rearranged, and under overwrite the cards and tabs that they added', async () => {
    await start();
    await bring(metabase);
    const shown = named(metabase.state.dashboards, 'AI Rank: client');
    const [tab] = shown['tabs'] as Row[];
    (shown['tabs'] as Row[]).push({ id: 9_000, name: 'Ours' });
    const added = {
      id: 9_001,
      card_id: null,
      dashboard_tab_id: tab?.id,
      row: 0,
      col: 0,
      size_x: 24,
      size_y: 2,
    };
    const text = { virtual_card: { display: 'text' }, text: 'By the agency' };
    (shown['dashcards'] as object[]).push({
      ...added,
      parameter_mappings: [],
      visualization_settings: text,
      series: [],
    });
    const before = snapshot();
    expect(done(await bring(metabase))).toEqual([]);
    expect(snapshot()).toBe(before);
    await bring(metabase, { overwrite: true });
    expect(shown['tabs']).toContainEqual({ id: 9_000, name: 'Ours' });
    expect(shown['dashcards']).toContainEqual(
      expect.objectContaining({ id: 9_001, visualization_settings: text }),
    );
  });

  it('leaves a question in the trash until told to overwrite', async () => {
    await start();
    await bring(metabase);
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
