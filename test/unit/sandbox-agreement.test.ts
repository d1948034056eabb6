// The sandbox is one world: what each route tells is counted here again, from the answers and citations alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, type Body, getBody, listOf, startOpenSandbox, walk } from '../support/sandbox-requests.ts';

const asked = '2026-03-20' as RunDate;
const today = '2026-05-03' as RunDate;
/** Dates after it are those of four weeks. */
const fourWeeksAgo = addDays(today, -28);
const lists = [
  ['mediciones', 'mediciones'],
  ['respuestas', 'respuestas'],
  ['citas', 'citas'],
  ['prompts', 'preguntas'],
  ['prompt-clusters', 'clusters'],
  ['fanouts', 'porPrompt'],
  ['bgpi', 'prompts'],
  ['competitors', 'competidores'],
  ['sources', 'dominios'],
  ['citations', 'urls'],
  ['actions', 'acciones'],
  ['revenue', 'porCanal'],
  ['crawl', 'salud'],
] as const;
type Route = (typeof lists)[number][0];

let sandbox: Sandbox;
const held = new Map<Route, readonly Body[]>();
/** AI Rank by v2: by client, then by date. */
const ranks = new Map<unknown, ReadonlyMap<string, number>>();

beforeAll(async () => {
  sandbox = await startOpenSandbox({ date: today, asked });
  for (const [route, key] of lists) {
    held.set(route, (await walk(sandbox, route, key, { limite: '200', texto: '1' })).records);
  }
  for (const client of clients()) {
    const query = { limite: '200', ...(client === null ? {} : { cliente: String(client) }) };
    const { records } = await walk(sandbox, 'visibility/history', 'puntos', query);
    const points = records.filter(({ metodo }) => metodo === 'v2');
    ranks.set(client, new Map(points.map(({ fecha, puntuacion }) => [String(fecha), Number(puntuacion)])));
  }
});

afterAll(async () => {
  await sandbox.close();
});

function of(route: Route): readonly Body[] {
  return held.get(route) ?? [];
}

function clients(): readonly unknown[] {
  return [...new Set(of('prompts').map(({ cliente }) => cliente))];
}

function groups(
  records: readonly Body[],
  key: (record: Body) => string,
): ReadonlyMap<string, readonly Body[]> {
  const found = new Map<string, Body[]>();
  for (const record of records) found.set(key(record), [...(found.get(key(record)) ?? []), record]);
  return found;
}

const clientOf = ({ cliente }: Body) => JSON.stringify(cliente);
const dayOf = ({ fecha }: Body) => String(fecha).slice(0, 10);
const recent = (record: Body) => dayOf(record) > fourWeeksAgo;
const mentions = ({ menciona }: Body) => menciona === true;
const questionsOf = (route: Route) =>
  of(route).map((one) => JSON.stringify([one['cliente'], one['pregunta']]));

/** Lists the names that the words of an answer mention, in its order. */
function named({ respuesta }: Body): readonly string[] {
  return [...String(respuesta).matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map((match) => match[1] ?? '');
}

/** The answers of the last measurement of each client. */
function lastAnswers(): readonly Body[] {
  const last = new Map<string, unknown>();
  for (const one of of('mediciones')) if (!last.has(clientOf(one))) last.set(clientOf(one), one['id']);
  return of('respuestas').filter((answer) => last.get(clientOf(answer)) === answer['medicion_id']);
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const share = (answers: readonly Body[]) => answers.filter(mentions).length / answers.length;

describe('questions', () => {
  test('are those of one panel: two clients have 24, the others six', () => {
    const counts = [...groups(of('prompts'), clientOf).values()].map((questions) => questions.length);
    expect(counts).toEqual([6, 24, 24, 6, 6, 6]);
    const panel = questionsOf('prompts');
    expect(new Set(panel).size).toBe(panel.length);
    expect(questionsOf('fanouts')).toEqual(panel);
    expect(questionsOf('bgpi')).toEqual(panel);
    const clustered = of('prompt-clusters').flatMap((cluster) =>
      listOf(cluster, 'preguntas').map(({ pregunta }) => JSON.stringify([cluster['cliente'], pregunta])),
    );
    expect(clustered.sort()).toEqual(panel.sort());
  });

  test('are asked by each measurement once on four engines, once a week', () => {
    const answers = groups(of('respuestas'), ({ medicion_id }) => String(medicion_id));
    const panel = groups(of('prompts'), clientOf);
    for (const one of of('mediciones')) {
      const own = answers.get(String(one['id'])) ?? [];
      const questions = (panel.get(clientOf(one)) ?? []).map(({ pregunta }) => pregunta);
      const asked = questions.flatMap((question) =>
        (one['motores'] as unknown[]).map((engine) => JSON.stringify([question, engine])),
      );
      expect(own.map(({ pregunta, motor }) => JSON.stringify([pregunta, motor])).sort()).toEqual(
        asked.sort(),
      );
      expect(own).toHaveLength(questions.length * 4);
    }
    for (const own of groups(of('mediciones'), clientOf).values()) {
      const dates = own.map(({ fecha }) => String(fecha) as RunDate);
      expect(dates.slice(0, -1).map((date) => addDays(date, -7))).toEqual(dates.slice(1));
    }
  });

  test('have the presence, position and engines of their last answers', () => {
    const answers = groups(lastAnswers(), (one) => JSON.stringify([one['cliente'], one['pregunta']]));
    for (const { cliente, pregunta, presencia, posicionMedia, motores } of of('prompts')) {
      const own = answers.get(JSON.stringify([cliente, pregunta])) ?? [];
      const places = own.filter(mentions).map(({ posicion }) => Number(posicion));
      const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
      expect(presencia).toBe(share(own));
      if (places.length === 0) expect(posicionMedia).toBeNull();
      else expect(posicionMedia).toBe(rounded(mean, 1));
      expect(new Set(motores as unknown[])).toEqual(new Set(own.map(({ motor }) => motor)));
    }
  });
});

describe('those whom answers name', () => {
  test('are the brand at its position, and the rivals of competitors as often as these say', async () => {
    const brands = new Map(of('mediciones').map((one) => [clientOf(one), String(one['empresa'])]));
    for (const answer of of('respuestas')) {
      const place = named(answer).indexOf(brands.get(clientOf(answer)) ?? '');
      expect(answer['posicion']).toBe(place === -1 ? null : place + 1);
      expect(answer['menciona']).toBe(place !== -1);
    }
    const per100 = (answers: readonly Body[], rival: unknown) =>
      (100 * answers.filter((answer) => named(answer).includes(String(rival))).length) / answers.length;
    for (const [client, own] of groups(of('respuestas'), clientOf)) {
      const month = own.filter(recent);
      const rivals = of('competitors').filter((one) => clientOf(one) === client);
      const brand = brands.get(client);
      expect(new Set(month.flatMap(named).filter((name) => name !== brand))).toEqual(
        new Set(rivals.map(({ nombre }) => nombre)),
      );
      for (const rival of rivals) {
        expect(rival['menciones_por_100']).toBe(rounded(per100(month, rival['nombre']), 1));
        const series = listOf(rival, 'serie');
        expect(series).toHaveLength(5);
        for (const { fecha, por100 } of series) {
          const then = own.filter((answer) => dayOf(answer) === fecha);
          expect(por100).toBe(rounded(per100(then, rival['nombre']), 1));
        }
      }
    }
  });
});

describe('cited pages', () => {
  test('of citations are those that answers of four weeks cite, with count, engines, first and last date', () => {
    const cited = groups(of('citas'), ({ url }) => String(url));
    const now = [...cited].filter(([, own]) => own.some(recent)).map(([url]) => url);
    expect(
      of('citations')
        .map(({ url }) => String(url))
        .sort(),
    ).toEqual(now.sort());
    for (const page of of('citations')) {
      const own = cited.get(String(page['url'])) ?? [];
      const month = own.filter(recent);
      expect(page).toMatchObject({
        cliente: own[0]?.['cliente'],
        dominio: own[0]?.['dominio'],
        titulo: own[0]?.['titulo'],
        propia: own[0]?.['propia'],
        citas: month.length,
        primera: dayOf(own.at(-1) ?? {}),
        ultima: dayOf(own[0] ?? {}),
      });
      expect(new Set(page['motores'] as unknown[])).toEqual(new Set(month.map(({ motor }) => motor)));
    }
    expect(cited.size).toBeGreaterThan(now.length);
  });

  test('of a domain are counted by sources, and for rivals once for each that the answer names', async () => {
    const answers = new Map(of('respuestas').map((answer) => [answer['id'], answer]));
    const domains = groups(of('citas').filter(recent), ({ dominio }) => String(dominio));
    expect(
      of('sources')
        .map(({ dominio }) => dominio)
        .sort(),
    ).toEqual([...domains.keys()].sort());
    for (const source of of('sources')) {
      const own = domains.get(String(source['dominio'])) ?? [];
      const citing = own.map(({ respuesta_id }) => answers.get(respuesta_id) ?? {});
      const forRivals = citing.reduce(
        (sum, answer) => sum + named(answer).length - (mentions(answer) ? 1 : 0),
        0,
      );
      expect(source['citas']).toBe(own.length);
      expect(source['citasRivales']).toBe(forRivals);
      expect(source['brecha']).toBe(rounded((forRivals - own.length) / (forRivals + own.length), 3));
    }
  });
});

describe('the AI Rank', () => {
  /** The mention rate of the first and of the last two weeks. */
  function rates(client: unknown): readonly [first: number, last: number] {
    const own = of('respuestas').filter(({ cliente }) => cliente === client);
    const first = own.filter((answer) => dayOf(answer) < addDays(asked, 14));
    return [share(first), share(own.filter((answer) => dayOf(answer) > addDays(today, -14)))];
  }

  test('falls with the mention rate of one client, and both stay for the other with many questions', () => {
    const [before, after] = rates('bodega luna');
    expect(before - after).toBeGreaterThan(0.15);
    const falling = ranks.get('bodega luna');
    expect((falling?.get(asked) ?? 0) - (falling?.get(today) ?? 0)).toBeGreaterThan(15);
    const [first, last] = rates(41027);
    expect(Math.abs(first - last)).toBeLessThan(0.1);
    const steady = [...(ranks.get(41027)?.values() ?? [])];
    expect(Math.max(...steady) - Math.min(...steady)).toBeLessThan(3);
  });

  test('is what measurements and actions say of their dates', () => {
    const told = [
      ...of('mediciones').map(({ cliente, fecha, puntuacion }) => [cliente, fecha, puntuacion] as const),
      ...of('actions').map(({ cliente, expectativa }) => {
        const { desde, congelada } = asBody(expectativa);
        return [cliente, congelada, desde] as const;
      }),
    ].flatMap(([client, date, score]) => {
      const known = ranks.get(client)?.get(String(date));
      return known === undefined || score === null ? [] : [[score, known]];
    });
    expect(told.length).toBeGreaterThan(30);
    for (const [score, known] of told) expect(score).toBe(known);
  });
});

describe('periods', () => {
  test('of revenue have parts by product and landing that add up to the records, each in its currency', async () => {
    const body = await getBody(sandbox, 'revenue');
    for (const [list, name] of [
      ['porProducto', 'producto'],
      ['porLanding', 'landing'],
    ] as const) {
      const told = (records: readonly Body[]) =>
        [...groups(records, (one) => JSON.stringify([one['cliente'], one[name], one['moneda']]))]
          .map(
            ([key, own]) =>
              `${key} ${own.reduce((sum, one) => sum + Math.round(Number(one['importe']) * 100), 0)}`,
          )
          .sort();
      expect(told(body[list] as Body[])).toEqual(told(of('revenue')));
    }
  });

  test('of crawler visits have as many lines in the access log', () => {
    const logged = new Map<string, number>();
    try {
      for (let age = 0; age < 14; age += 1) {
        const date = addDays(today, -age);
        sandbox.setDate(date);
        for (const line of sandbox.accessLog().split('\n').slice(0, -1)) {
          const { http_host: host, http_user_agent: agent } = JSON.parse(line) as Record<string, string>;
          const bot = /compatible; (\S+)\/1/.exec(agent ?? '')?.[1];
          for (const { dominio, bot: listed, actualizado } of of('crawl')) {
            if (dominio !== host || listed !== bot) continue;
            if (date <= String(actualizado) && date > addDays(actualizado as RunDate, -7)) {
              logged.set(`${host} ${bot}`, (logged.get(`${host} ${bot}`) ?? 0) + 1);
            }
          }
        }
      }
    } finally {
      sandbox.setDate(today);
    }
    expect(logged.size).toBeGreaterThan(20);
    for (const { dominio, bot, visitas7d } of of('crawl')) {
      expect([dominio, bot, logged.get(`${dominio} ${bot}`) ?? 0]).toEqual([dominio, bot, visitas7d]);
    }
  });
});
