// What airank metabase does to a Metabase, by a fake one that keeps what it is given.
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/config.ts';
import { type BringOptions, type Brought, bringMetabase } from '../../src/metabase/bring-metabase.ts';
import { dashboards } from '../../src/metabase/dashboards.ts';
import { readQuestions } from '../../src/metabase/read-questions.ts';
import {
  type FakeMetabase,
  type FakeMetabaseOptions,
  metabaseKey,
  type Row,
  startFakeMetabase,
} from '../support/fake-metabase.ts';

let metabase: FakeMetabase;
afterEach(() => metabase.close());

const databaseUrl = 'postgres://bi:pass%2Fword@db.example.com:5433/airank?sslmode=require';

async function start(options: FakeMetabaseOptions = {}): Promise<void> {
  metabase = await startFakeMetabase(options);
}

async function bring(options: Partial<BringOptions> = {}): Promise<Brought> {
  return await bringMetabase({
    url: new URL(metabase.url),
    key: new Secret(metabaseKey),
    signal: new AbortController().signal,
    apply: true,
    overwrite: false,
    database: { name: 'AI Rank warehouse', url: databaseUrl, reconnect: false },
    waitMs: 5_000,
    pauseMs: 1,
    ...options,
  });
}

const done = ({ changes }: Brought) => changes.filter(({ what }) => what !== 'same');
const named = (rows: readonly Row[], name: string): Row => {
  const row = rows.find((one) => one['name'] === name);
  if (row === undefined) throw new Error(`no ${name}`);
  return row;
};
const snapshot = () => JSON.stringify(metabase.state);

describe('airank metabase apply', () => {
  it('makes database, types, keys, questions and dashboards in an empty Metabase', async () => {
    await start();
    const { links } = await bring();
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
    expect(cards).toHaveLength((await readQuestions()).length);
    expect(new Set(cards.map((card) => card['collection_id']))).toEqual(new Set([collections[0]?.id]));
    expect(shown.map(({ name }) => name)).toEqual(['AI Rank: portfolio', 'AI Rank: client']);
    expect(named(shown, 'AI Rank: client')['tabs']).toMatchObject(
      ['Client', 'Competition', 'Questions', 'Sources', 'Business'].map((name) => ({ name })),
    );
    expect(links.map(({ url }) => url)).toEqual(shown.map(({ id }) => `${metabase.url}/dashboard/${id}`));
  });

  it('shows every question on a dashboard, joined with every filter that it has a tag for', async () => {
    await start();
    await bring();
    const questions = await readQuestions();
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

  it('changes nothing the second time, whichever way Metabase writes what it stores', async () => {
    for (const rewrites of [false, true]) {
      await start({ rewrites });
      await bring();
      const [before, count] = [snapshot(), metabase.writes.length];
      expect(done(await bring())).toEqual([]);
      expect(metabase.writes).toHaveLength(count);
      expect(snapshot()).toBe(before);
      if (!rewrites) await metabase.close();
    }
  });

  it('goes on after a stop at any write, and ends in the same place', async () => {
    await start();
    await bring();
    const whole = metabase.writes.length;
    const count = metabase.state.cards.length;
    await metabase.close();
    for (const breakAfterWrites of [1, 2, 9, whole - 20, whole - 4, whole - 3, whole - 1]) {
      await start({ breakAfterWrites });
      await expect(bring()).rejects.toThrow('Expected Metabase at');
      metabase.heal();
      await bring();
      const { databases, collections, cards, dashboards: shown } = metabase.state;
      const counts = [databases.length, collections.length, cards.length, shown.length];
      expect(counts, `after ${breakAfterWrites} writes`).toEqual([1, 1, count, 2]);
      expect(done(await bring())).toEqual([]);
      await metabase.close();
    }
    await start();
  }, 60_000);

  it('leaves a question that people changed as it is, and takes it back when told to', async () => {
    await start();
    await bring();
    const card = named(metabase.state.cards, 'AI Rank over time');
    card['display'] = 'area';
    expect(done(await bring())).toMatchObject([
      { kind: 'question', name: 'AI Rank over time', what: 'left' },
    ]);
    expect(card['display']).toBe('area');
    expect(done(await bring({ overwrite: true }))).toMatchObject([{ kind: 'question', what: 'change' }]);
    expect(card['display']).toBe('line');
    expect(done(await bring())).toEqual([]);
  });

  it('leaves what people made: collections, databases, questions, copies of questions and types of columns', async () => {
    await start({ looks: 1 });
    const { collections, databases, cards } = metabase.state;
    collections.push({ id: 9_001, name: 'AI Rank', description: null });
    databases.push({ id: 9_002, name: 'Shop', description: null, engine: 'mysql', details: {} });
    await bring();
    const own = named(cards, 'The AI Rank now');
    cards.push({ ...own, id: 9_003, name: 'The AI Rank now - Duplicate', display: 'bar' });
    cards.push({ ...own, id: 9_004, name: 'Mine', description: null });
    const score = metabase.state.tables
      .find(({ name }) => name === 'rank_trend')
      ?.fields.find(({ name }) => name === 'score');
    Object.assign(score ?? {}, { semantic_type: 'type/Percentage' });
    const before = snapshot();
    expect(done(await bring({ overwrite: true }))).toEqual([]);
    expect(snapshot()).toBe(before);
  });

  it('leaves a dashboard that people rearranged, and under overwrite the cards and tabs that they added', async () => {
    await start();
    await bring();
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
    expect(done(await bring())).toMatchObject([
      { kind: 'dashboard', what: 'left', why: 'people changed it' },
    ]);
    expect(snapshot()).toBe(before);
    await bring({ overwrite: true });
    expect(shown['tabs']).toContainEqual({ id: 9_000, name: 'Ours' });
    expect(shown['dashcards']).toContainEqual(
      expect.objectContaining({ id: 9_001, visualization_settings: text }),
    );
    expect(done(await bring())).toEqual([]);
  });

  it('leaves a question in the trash, without its place on the dashboard, until told to overwrite', async () => {
    await start();
    await bring();
    const card = named(metabase.state.cards, 'Share of competitors');
    card['archived'] = true;
    expect(done(await bring())).toMatchObject([
      { kind: 'question', what: 'left', why: 'it is in the trash' },
      { kind: 'dashboard', name: 'AI Rank: client', what: 'change' },
    ]);
    expect(card['archived']).toBe(true);
    await bring({ overwrite: true });
    expect(card['archived']).toBe(false);
    expect(done(await bring())).toEqual([]);
  });

  it('makes questions anew when their database was removed', async () => {
    await start();
    await bring();
    metabase.state.databases.length = 0;
    expect(done(await bring())).toContainEqual(expect.objectContaining({ kind: 'question', what: 'change' }));
    const id = metabase.state.databases[0]?.id;
    expect(metabase.state.cards.map((card) => card['dataset_query'])).toEqual(
      metabase.state.cards.map(() => expect.objectContaining({ database: id })),
    );
  });

  it('sends the password in the calls about the connection only, and again only when asked or moved', async () => {
    await start();
    await bring();
    const count = metabase.writes.length;
    const name = 'AI Rank warehouse';
    await bring({ database: { name, url: undefined, reconnect: false } });
    expect(metabase.writes).toHaveLength(count);
    await bring({ database: { name, url: databaseUrl.replace('pass', 'new'), reconnect: true } });
    expect(metabase.state.databases).toMatchObject([{ details: { password: 'new/word' } }]);
    await bring({ database: { name, url: databaseUrl.replace('db.', 'new.'), reconnect: false } });
    expect(metabase.state.databases).toMatchObject([{ details: { host: 'new.example.com' } }]);
    const { databases: _, ...others } = metabase.state;
    expect(JSON.stringify(others)).not.toContain('word"');
  });
});

describe('airank metabase plan', () => {
  it('touches nothing, and names the same changes as apply', async () => {
    await start();
    const planned = done(await bring({ apply: false }));
    expect(metabase.writes).toEqual([]);
    const kinds = ['collection', 'question', 'dashboard', 'database'];
    const applied = done(await bring());
    for (const kind of kinds) {
      const of = (list: typeof planned) => list.filter((change) => change.kind === kind);
      expect(of(planned)).toEqual(of(applied));
    }
    expect(done(await bring({ apply: false }))).toEqual([]);
  });

  it('names what a changed question would change, and changes nothing', async () => {
    await start();
    await bring();
    named(metabase.state.cards, 'Revenue by channel')['name'] = 'Umsatz';
    const [before, count] = [snapshot(), metabase.writes.length];
    expect(done(await bring({ apply: false, overwrite: true }))).toMatchObject([
      { kind: 'question', name: 'Revenue by channel', what: 'change' },
    ]);
    expect(metabase.writes).toHaveLength(count);
    expect(snapshot()).toBe(before);
  });
});
