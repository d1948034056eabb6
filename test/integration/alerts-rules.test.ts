// Checks what rules make of data of one client: a new rule, a field that is mapped elsewhere, a client that left, odd claims.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDigestFigures, readUndelivered } from '../../src/alerts/store/deliveries.ts';
import { countOpenAlerts, mute } from '../../src/alerts/store/list-alerts.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import type { AlertDay } from '../support/alert-world.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { day, defaultAlerts, ranks, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;

/** Each test of the suite begins after a first day. */
function watchSince(firstDay: Partial<AlertDay>): void {
  beforeEach(async () => {
    world = await watchClient(firstDay);
  }, 60_000);
  afterEach(() => world.database.drop());
}

const raised = async () => {
  const { raised, broken } = await world.check();
  expect(broken).toEqual([]);
  return raised;
};
const cliente = '7';

async function publishClaims(after: number, claims: readonly object[]): Promise<void> {
  const brands = { 'Casa Siete': true, 'Siete Playa': true, Rival: false };
  const said = { marca: 'Casa Siete', cliente, afirmacion: 'Abre los domingos', veredicto: 'falsa' };
  await publishRecords(world.db, {
    stream: 'perception',
    runDate: day(after),
    key: [['marca', 'atributo']],
    records: Object.entries(brands).map(([marca, propia]) => ({
      ...{ marca, propia, cliente, atributo: 'cercana', menciones: 3, frase: 'Una frase' },
    })),
    rest: { afirmaciones: claims.map((one) => ({ ...said, revisada: day(after), ...one })) },
  });
}

describe('a new rule', () => {
  const others = ['actions', 'competitors', 'perception'];
  watchSince({ ranks: ranks(-1), without: others });

  interface Extras {
    readonly news?: readonly (readonly [date: string, competitor: string])[];
    readonly results?: readonly string[];
    readonly claims?: readonly string[];
  }

  /** The other streams, and what follows a batch. @returns how many alerts are new */
  async function add(after: number, { news = [], results = [], claims = [] }: Extras): Promise<number> {
    const publish = (stream: string, records: readonly object[], more: object = {}) =>
      publishRecords(world.db, { stream, runDate: day(after), records, ...more });
    const seen = { cliente, tipo: 'adelanta', mensaje: 'Más' };
    await publish('competitors', [{ nombre: 'Rival', cliente, clase: 'primario', menciones_por_100: 12.5 }], {
      key: [['nombre']],
      rest: { alertas: news.map(([fecha, competidor]) => ({ ...seen, fecha, competidor })) },
    });
    const expectativa = { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' };
    const actions = ['a1', 'a2', 'a3'].map((id) => ({
      ...{ id, cliente, titulo: `Acción ${id}`, estado: 'hecha', creada: '2026-01-05', expectativa },
      resultado: results.includes(id) ? { observado: 2.5, lectura: 'sube' } : null,
    }));
    await publish('actions', actions);
    await publishClaims(
      after,
      claims.map((afirmacion) => ({ afirmacion, revisada: day(after - 3) })),
    );
    await refreshViews(world.db);
    await refreshMapping(world.db);
    return await raised();
  }

  const told = () =>
    world.database.lines('select rule, alert_date::text, title from bi.alerts order by rule, title');

  it('tells the first fall, result, overtaking and false claim, where the first slices had none', async () => {
    expect(await add(0, {})).toBe(0);
    await world.publish(1, { without: others, ranks: ranks(0, { 0: 50 }) });
    // Dated before the rule began, and in the data since today.
    const news = [[day(-1), 'Rival']] as const;
    expect(await add(1, { news, results: ['a1'], claims: ['Abre los domingos'] })).toBe(4);
    expect(await told()).toEqual([
      `claim_false ${day(-2)} A claim about Casa Siete is judged false: Abre los domingos`,
      `outcome_in ${day(1)} The result of “Acción a1” is known: sube; points 2.5, expected 1 to 3`,
      `passed_by_competitor ${day(-1)} Rival passed the brand`,
      // A point that is a day older than its run date.
      `rank_fell ${day(0)} AI Rank fell from 60 to 50 in 7 days, at least the configured 5 points (method v2)`,
    ]);
    await world.publish(2, { without: others, ranks: ranks(0, { 0: 50 }) });
    expect(await add(2, { news, results: ['a1'], claims: ['Abre los domingos'] })).toBe(0);
  });

  it('keeps silent of what its first slice held, whenever it is dated', async () => {
    const news = [day(-1), day(0)].map((date) => [date, 'Rival'] as const);
    const held = { news, results: ['a1'], claims: ['Abre los domingos'] };
    expect(await add(0, held)).toBe(0);
    await world.publish(1, { without: others });
    expect(await add(1, held)).toBe(0);
    await world.publish(2, { without: others });
    expect(await add(2, { ...held, news: [...news, [day(-1), 'Otro']], results: ['a1', 'a2'] })).toBe(2);
    expect(await world.database.lines('select title from bi.alerts order by rule')).toEqual([
      'The result of “Acción a2” is known: sube; points 2.5, expected 1 to 3',
      'Otro passed the brand',
    ]);
  });
});

describe('the field of a rule', () => {
  watchSince({ bot: 'bloqueado' });
  const refused = () =>
    world.database.lines(`select state from bi.alerts where rule = 'crawler_refused' order by alert_id`);
  const map = (path: string | null) => refreshMapping(world.db, { 'crawl.status': path });

  it('that is there and not mapped begins it anew once it is, in silence', async () => {
    await refreshViews(world.db);
    await map(null);
    expect(await raised()).toBe(0);
    const began = () =>
      world.database.lines(
        `select distinct watched_since::text from sync.alert_watch where rule = 'crawler_refused'`,
      );
    expect(await began()).toEqual([day(0)]);
    await world.publish(1, { bot: 'bloqueado' });
    await map('estado');
    expect(await raised()).toBe(0);
    expect(await began()).toEqual([day(1)]);
    expect(await refused()).toEqual([]);
  });

  it.each([
    ['that is not mapped for a while does not end what lasts, and tells it not again', null, 'open'],
    [
      'that is found elsewhere begins it anew: what it says then is no news, and no recovery',
      'dominio',
      'over',
    ],
  ])('%s', async (_, path, state) => {
    await world.publish(1, { bot: 'ok' });
    await raised();
    await world.publish(2, { bot: 'bloqueado' });
    expect(await raised()).toBe(1);
    for (const [after, place] of [path, 'estado'].entries()) {
      await map(place);
      await world.publish(3 + after, { bot: 'bloqueado' });
      expect(await raised()).toBe(0);
      expect(await refused()).toEqual([state]);
    }
  });
});

describe('what is watched', () => {
  watchSince({});
  beforeEach(async () => {
    expect(await raised()).toBe(0);
  });

  const fallen = { ranks: ranks(1, { 1: 50 }), bot: 'bloqueado' };
  const states = () =>
    world.database.lines(`select rule, state, ended_date::text from bi.alerts order by rule`);

  it('is over when its rule is switched off, and is the same alert when it is switched on', async () => {
    await world.publish(1, fallen);
    expect(await raised()).toBe(2);
    const off = { ...defaultAlerts.rules, crawler_refused: { on: false, threshold: undefined } };
    await world.check({ ...defaultAlerts, rules: off });
    expect(await states()).toEqual([`crawler_refused over ${day(1)}`, 'rank_fell open -']);
    expect(await raised()).toBe(0);
    expect(await countOpenAlerts(world.db)).toBe(2);
  });

  it('is over when its client left, and begins anew when it comes back', async () => {
    await world.publish(1, fallen);
    expect(await raised()).toBe(2);
    for (const after of [2, 3, 4]) {
      const records = [{ id: '8', nombre: 'Ocho' }];
      await publishRecords(world.db, { stream: 'clientes', runDate: day(after), records });
    }
    await world.check();
    expect(await countOpenAlerts(world.db)).toBe(0);
    expect(await states()).toEqual([`crawler_refused over ${day(2)}`, `rank_fell over ${day(2)}`]);
    await world.publish(5, { ranks: ranks(5, { 1: 50, 5: 50 }), bot: 'bloqueado' });
    expect(await raised()).toBe(0);
  });

  it('is in the weekly summary of the seven days before its date, by the clock of the time zone', async () => {
    await world.publish(1, { bot: 'bloqueado' });
    await world.check();
    const of = { account: 'default', date: '2026-04-06' };
    for (const [raisedAt, timeZone, isIn] of [
      ['2026-04-05T23:59:59Z', 'UTC', true],
      ['2026-04-06T00:00:00Z', 'UTC', false],
      ['2026-03-30T00:00:00Z', 'UTC', true],
      ['2026-03-29T23:59:59Z', 'UTC', false],
      ['2026-03-29T22:00:00Z', 'Europe/Madrid', true],
      ['2026-04-05T22:00:00Z', 'Europe/Madrid', false],
    ] as const) {
      await world.database.rows('update sync.alert set raised_at = $1', raisedAt);
      const { alerts } = await readDigestFigures(world.db, of, timeZone);
      expect(alerts, `${raisedAt} ${timeZone}`).toHaveLength(isIn ? 1 : 0);
    }
  });

  it('is not told to a channel that was down once it was seen, muted or back meanwhile', async () => {
    await world.publish(1, { ...fallen, verdict: 'falsa' });
    await world.check({ ...defaultAlerts, to: ['hook'] });
    const untold = async () =>
      (await readUndelivered(world.db, 'hook', day(9))).map(({ rule }) => rule).sort();
    expect(await untold()).toEqual(['claim_false', 'crawler_refused', 'rank_fell']);
    const mark = (set: string, rule: string) =>
      world.database.rows(`update sync.alert set ${set} where rule = '${rule}'`);
    await mark('acknowledged_at = now()', 'claim_false');
    const muted = { account: 'default', rule: 'crawler_refused', clientId: cliente };
    await mute(world.db, { ...muted, until: day(9) });
    expect(await untold()).toEqual(['crawler_refused', 'rank_fell']);
    await mute(world.db, { ...muted, until: day(10) });
    expect(await untold()).toEqual(['rank_fell']);
    await mark(`ended_on = '${day(2)}', is_recovered = true`, 'rank_fell');
    expect(await untold()).toEqual([]);
  });

  it('may be a claim longer than an index holds: it is told apart by its last word', async () => {
    const long = Array.from({ length: 700 }, () => randomBytes(4).toString('hex')).join(' ');
    await world.publish(1, { without: ['perception'], bot: 'bloqueado' });
    await publishClaims(1, [{ afirmacion: `${long} a` }, { afirmacion: `${long} b` }]);
    expect(await raised()).toBe(3);
    expect(await raised()).toBe(0);
  });

  it("is of claims those about the client's own brands, each by its name", async () => {
    await world.publish(1, { without: ['perception', 'competitors'] });
    await publishClaims(1, [{ veredicto: 'correcta' }]);
    await refreshMapping(world.db);
    await world.check();
    await world.publish(2, { without: ['perception', 'competitors'] });
    await publishClaims(2, [
      { marca: 'Otra Marca', afirmacion: 'Cierra pronto' },
      { marca: 'casa siete ' },
      { marca: null, afirmacion: 'Abre de noche' },
      { marca: 'Siete Playa', afirmacion: 'Está lejos' },
      { marca: 'Rival', afirmacion: 'Es cara' },
    ]);
    await world.check();
    expect(await world.database.lines('select title from bi.alerts order by title collate "C"')).toEqual([
      'A claim about Casa Siete is judged false: Abre de noche',
      'A claim about Siete Playa is judged false: Está lejos',
      'A claim about casa siete is judged false: Abre los domingos',
    ]);
  });

  it('is a claim with two verdicts as false while one of them says so', async () => {
    await world.publish(2, { without: ['perception'] });
    for (const [verdicts, state] of [
      [{ falsa: 1, correcta: 2 }, 'open'],
      [{ falsa: 2, correcta: 2 }, 'open'],
      [{ correcta: 2 }, 'recovered'],
    ] as const) {
      const said = Object.entries(verdicts);
      await publishClaims(
        2,
        said.map(([veredicto, after]) => ({ veredicto, revisada: day(after) })),
      );
      await world.check();
      expect(await world.database.lines('select alert_date::text, state from bi.alerts')).toEqual([
        `${day(1)} ${state}`,
      ]);
    }
  });

  it('goes on where a rule fails, which is a failure of the check', async () => {
    await world.publish(1, { verdict: 'falsa', bot: 'bloqueado', ownPages: [] });
    await world.database.rows('alter view bi.citation_changes rename page_url to other');
    const env = { DATABASE_URL: world.database.url };
    const said = await airank(['alerts', 'check'], { cwd: '/nowhere', env });
    expect(said).toMatchObject({ exitCode: 1, stdout: '2 new alerts, 0 messages sent\n' });
    expect(said.stderr).toMatch(/^Could not check account default for alerts of page_lost: .*page_url/m);
    expect(await world.database.lines('select rule from bi.alerts order by 1')).toEqual([
      'claim_false',
      'crawler_refused',
    ]);
  });
});
