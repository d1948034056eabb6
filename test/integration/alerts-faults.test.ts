// Checks what rules make of data that is long, contradictory or somebody else's.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { day, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;

beforeEach(async () => {
  world = await watchClient();
  expect(await world.check()).toEqual({ raised: 0, broken: [] });
}, 60_000);

afterEach(() => world.database.drop());

const alertsOf = (rule: string) =>
  world.read(`select title, state from bi.alerts where rule = '${rule}' order by title collate "C"`);

const claims = async (after: number, said: readonly object[]): Promise<void> => {
  await publishRecords(world.db, {
    stream: 'perception',
    runDate: day(after),
    key: [['marca', 'atributo']],
    records: [
      ['Casa Siete', true],
      ['Siete Playa', true],
      ['Rival', false],
    ].map(([marca, propia]) => ({
      marca,
      propia,
      atributo: 'cercana',
      cliente: '7',
      menciones: 3,
      frase: 'Una frase',
    })),
    rest: {
      afirmaciones: said.map((one) => ({
        marca: 'Casa Siete',
        cliente: '7',
        afirmacion: 'Abre los domingos',
        veredicto: 'falsa',
        hecho: 'Según la ficha',
        revisada: day(after),
        ...one,
      })),
    },
  });
};

describe('a claim', () => {
  it('that is longer than an index holds is an alert like any other, told apart by its last word', async () => {
    const long = Array.from({ length: 700 }, () => randomBytes(4).toString('hex')).join(' ');
    await world.publish(1, { without: ['perception'], bot: 'bloqueado' });
    await claims(1, [{ afirmacion: `${long} a` }, { afirmacion: `${long} b` }]);
    expect(await world.check()).toEqual({ raised: 3, broken: [] });
    expect(await world.check()).toEqual({ raised: 0, broken: [] });
  });

  it("is told of the client's own brand only, and names it", async () => {
    await world.publish(1, { without: ['perception', 'competitors'] });
    await claims(1, [{ veredicto: 'correcta' }]);
    await refreshMapping(world.db);
    await world.check();
    await world.publish(2, { without: ['perception', 'competitors'] });
    await claims(2, [
      { marca: 'Otra Marca', afirmacion: 'Cierra pronto' },
      { marca: 'casa siete ' },
      { marca: null, afirmacion: 'Abre de noche' },
      { marca: 'Siete Playa', afirmacion: 'Está lejos' },
      { marca: 'Rival', afirmacion: 'Es cara' },
    ]);
    await world.check();
    expect(await alertsOf('claim_false')).toEqual([
      ['A claim about Casa Siete is judged false: Abre de noche', 'open'],
      ['A claim about Siete Playa is judged false: Está lejos', 'open'],
      ['A claim about casa siete is judged false: Abre los domingos', 'open'],
    ]);
  });

  it('of two verdicts is false while one of them says so', async () => {
    await world.publish(2, { without: ['perception'] });
    const verdicts = (...of: [veredicto: string, after: number][]) =>
      claims(
        2,
        of.map(([veredicto, after]) => ({ veredicto, revisada: day(after) })),
      );
    const found = async () => {
      await world.check();
      return await world.read(`select alert_date::text, state from bi.alerts where rule = 'claim_false'`);
    };
    await verdicts(['falsa', 1], ['correcta', 2]);
    expect(await found()).toEqual([[day(1), 'open']]);
    expect(await found()).toEqual([[day(1), 'open']]);
    await verdicts(['falsa', 2], ['correcta', 2]);
    expect(await found()).toEqual([[day(1), 'open']]);
    await verdicts(['correcta', 2]);
    expect(await found()).toEqual([[day(1), 'recovered']]);
  });
});

it('a rule that fails leaves the others running, and is a failure of the check', async () => {
  await world.publish(1, { verdict: 'falsa', bot: 'bloqueado', ownPages: [] });
  await world.database.pool.query('alter view bi.citation_changes rename page_url to other');
  const said = await airank(['alerts', 'check'], {
    cwd: '/nowhere',
    env: { DATABASE_URL: world.database.url },
  });
  expect(said).toMatchObject({ exitCode: 1, stdout: '2 new alerts, 0 messages sent\n' });
  expect(said.stderr).toMatch(/^Could not check account default for alerts of page_lost: .*page_url/m);
  expect(await world.read('select rule from bi.alerts order by 1')).toEqual([
    ['claim_false'],
    ['crawler_refused'],
  ]);
});

it("an action of a client does not take the title of the account's action with the same number", async () => {
  const { db } = world;
  await world.publish(1, { without: ['actions'] });
  const titles = [
    { id: '1', titulo: 'Secreto de Ocho', creada: '2026-01-09' },
    { id: '2', titulo: 'Título de Siete', creada: '2026-01-09', cliente: '7' },
  ];
  await publishRecords(db, { stream: 'acciones', runDate: day(1), records: titles });
  const actions = (estado: string, resultado: object | null) =>
    ['1', '2', '3'].map((id) => ({
      id,
      cliente: '7',
      estado,
      creada: '2026-01-05',
      titulo: id === '3' ? 'Otra' : null,
      expectativa: { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' },
      resultado,
    }));
  await publishRecords(db, { stream: 'actions', runDate: day(1), records: actions('abierta', null) });
  await refreshMapping(db);
  await world.check();
  await world.publish(2, { without: ['actions'] });
  const result = { observado: 2, lectura: 'sube' };
  await publishRecords(db, { stream: 'actions', runDate: day(2), records: actions('hecha', result) });
  await world.check();
  const expected = [
    ['1', null],
    ['2', 'Título de Siete'],
    ['3', 'Otra'],
  ];
  expect(await world.read('select action_id, title from bi.actions order by 1')).toEqual(expected);
  const distinct = (view: string, id: string, where = 'true') =>
    world.read(
      `select distinct ${id}, title from bi.${view} where ${where} and client_id = '7' and ${id} ~ '^[0-9]' order by 1`,
    );
  expect(await distinct('action_status_history', 'action_id')).toEqual(expected);
  expect(await distinct('events', 'event_id', `event_type = 'action'`)).toEqual(expected);
  expect(
    await world.read(`select subject, title from bi.alerts where rule = 'outcome_in' order by 1`),
  ).toEqual([
    ['1', 'The result of an action is known: sube; points 2, expected 1 to 3'],
    ['2', 'The result of “Título de Siete” is known: sube; points 2, expected 1 to 3'],
    ['3', 'The result of “Otra” is known: sube; points 2, expected 1 to 3'],
  ]);
});

it('a page is lost with the last record that cites it, and is one page however many records did', async () => {
  const cite = (after: number, records: readonly (readonly [id: string, page: string])[]) =>
    publishRecords(world.db, {
      stream: 'citations',
      runDate: day(after),
      key: [['id']],
      records: records.map(([id, page]) => ({
        id,
        url: `https://siete.example/${page}`,
        dominio: 'siete.example',
        cliente: '7',
        propia: true,
        titulo: 'Una página',
        citas: 3,
      })),
    });
  const step = async (after: number, records: readonly (readonly [string, string])[]) => {
    await world.publish(after, { without: ['citations'] });
    await cite(after, records);
    await world.check();
    return await world.read(
      `select title, detail from bi.alerts where rule = 'page_lost' and alert_date = '${day(after)}'`,
    );
  };
  await step(1, [
    ['1', 'a'],
    ['2', 'a'],
    ['3', 'b'],
    ['4', 'c'],
    ['5', 'c'],
  ]);
  expect(
    await step(2, [
      ['1', 'a'],
      ['6', 'b'],
      ['4', 'c'],
      ['5', 'c'],
    ]),
  ).toEqual([]);
  expect(
    await step(3, [
      ['1', 'a'],
      ['6', 'b'],
    ]),
  ).toEqual([['A page of the site is no longer cited', 'https://siete.example/c']]);
});
