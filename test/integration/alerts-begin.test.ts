// A new rule tells nothing of what its first complete slice holds, and everything that comes after it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { day, ranks, type WatchedClient, watchClient } from '../support/watched-client.ts';

let world: WatchedClient;
const others = ['actions', 'competitors', 'perception'];
const cliente = '7';

beforeEach(async () => {
  world = await watchClient({ ranks: ranks(-1), without: others });
}, 60_000);

afterEach(() => world.database.drop());

interface Extras {
  readonly news?: readonly (readonly [date: string, competitor: string, type: string])[];
  readonly results?: readonly string[];
  readonly claims?: readonly string[];
}

/** The other streams, and what follows a batch. @returns how many alerts are new */
async function add(after: number, { news = [], results = [], claims = [] }: Extras): Promise<number> {
  const publish = (stream: string, records: readonly object[], more: object) =>
    publishRecords(world.db, { stream, runDate: day(after), records, ...more });
  await publish('competitors', [{ nombre: 'Rival', cliente, clase: 'primario', menciones_por_100: 12.5 }], {
    key: [['nombre']],
    rest: {
      alertas: news.map(([fecha, competidor, tipo]) => ({
        fecha,
        competidor,
        tipo,
        cliente,
        mensaje: 'Más',
      })),
    },
  });
  const actions = ['a1', 'a2', 'a3'].map((id) => ({
    id,
    cliente,
    titulo: `Acción ${id}`,
    estado: 'hecha',
    creada: '2026-01-05',
    expectativa: { metrica: 'puntos', desde: 1, hasta: 3, congelada: '2026-01-06' },
    resultado: results.includes(id) ? { observado: 2.5, lectura: 'sube' } : null,
  }));
  await publish('actions', actions, {});
  const perception = { marca: 'Casa Siete', atributo: 'cercana', cliente, menciones: 3, frase: 'Una frase' };
  await publish('perception', [perception], {
    key: [['marca', 'atributo']],
    rest: {
      afirmaciones: claims.map((afirmacion) => ({
        marca: 'Casa Siete',
        cliente,
        afirmacion,
        veredicto: 'falsa',
        hecho: 'Según la ficha',
        revisada: day(after - 3),
      })),
    },
  });
  await refreshViews(world.db);
  await refreshMapping(world.db);
  const { raised, broken } = await world.check();
  expect(broken).toEqual([]);
  return raised;
}

const told = () =>
  world.read(`select rule, alert_date::text, title from bi.alerts order by rule, alert_date, title`);

it('tells the first result, overtaking and false claim, where the first slices had none', async () => {
  expect(await add(0, {})).toBe(0);
  await world.publish(1, { without: others });
  // Dated before the rule began, and in the data since today.
  const news = [[day(-1), 'Rival', 'adelanta']] as const;
  expect(await add(1, { news, results: ['a1'], claims: ['Abre los domingos'] })).toBe(3);
  expect(await told()).toEqual([
    ['claim_false', day(-2), 'A claim about Casa Siete is judged false: Abre los domingos'],
    ['outcome_in', day(1), 'The result of “Acción a1” is known: sube; points 2.5, expected 1 to 3'],
    ['passed_by_competitor', day(-1), 'Rival passed the brand'],
  ]);
  await world.publish(2, { without: others });
  expect(await add(2, { news, results: ['a1'], claims: ['Abre los domingos'] })).toBe(0);
});

it('tells the first fall, also of a point that is a day older than its run date', async () => {
  await add(0, {});
  await world.publish(1, { without: others, ranks: ranks(0, { 0: 50 }) });
  expect(await add(1, {})).toBe(1);
  expect(await told()).toEqual([
    [
      'rank_fell',
      day(0),
      'AI Rank fell from 60 to 50 in 7 days, at least the configured 5 points (method v2)',
    ],
  ]);
});

it('keeps silent of what its first slice held, whenever it is dated', async () => {
  const held = {
    news: [
      [day(-1), 'Rival', 'adelanta'],
      [day(0), 'Rival', 'adelanta'],
    ] as const,
    results: ['a1'],
    claims: ['Abre los domingos'],
  };
  expect(await add(0, held)).toBe(0);
  await world.publish(1, { without: others });
  expect(await add(1, held)).toBe(0);
  await world.publish(2, { without: others });
  const more = [...held.news, [day(-1), 'Otro', 'adelanta'] as const];
  expect(await add(2, { ...held, news: more, results: ['a1', 'a2'] })).toBe(2);
  expect((await told()).map(([rule, , title]) => [rule, title])).toEqual([
    ['outcome_in', 'The result of “Acción a2” is known: sube; points 2.5, expected 1 to 3'],
    ['passed_by_competitor', 'Otro passed the brand'],
  ]);
});
