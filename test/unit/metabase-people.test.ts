// Work that people made or changed in a Metabase stays, whatever airank metabase does.
import { afterEach, describe, expect, it } from 'vitest';
import { bring, done, named } from '../support/apply-fake-metabase.ts';
import { type FakeMetabase, type FakeMetabaseOptions, startFakeMetabase } from '../support/fake-metabase.ts';
import type { Row } from '../support/metabase-forms.ts';

let metabase: FakeMetabase;
afterEach(() => metabase.close());

async function start(options: FakeMetabaseOptions = {}): Promise<void> {
  metabase = await startFakeMetabase(options);
}

const snapshot = () => JSON.stringify(metabase.state);

describe('airank metabase apply', () => {
  it('leaves a question that people changed as it is, and makes it as shipped when told to', async () => {
    await start();
    await bring(metabase);
    const card = named(metabase.state.cards, 'AI Rank over time');
    card['display'] = 'area';
    expect(done(await bring(metabase))).toEqual([]);
    expect(card['display']).toBe('area');
    await bring(metabase, { overwrite: true });
    expect(card['display']).toBe('line');
  });

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

  it('says which dashboard lacks questions, as after an upgrade, and adds none until told to', async () => {
    await start();
    await bring(metabase);
    const shown = named(metabase.state.dashboards, 'AI Rank: client');
    (shown['dashcards'] as Row[]).pop();
    expect(done(await bring(metabase))).toMatchObject([
      { kind: 'dashboard', name: 'AI Rank: client', what: 'left', why: 'without 1 of its questions' },
    ]);
    await bring(metabase, { overwrite: true });
    expect(done(await bring(metabase))).toEqual([]);
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
