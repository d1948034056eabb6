// The sandbox is one world: what each route tells is counted here again, from the answers and citations alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { type Body, listOf, startOpenSandbox, walk } from '../support/sandbox-requests.ts';

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
    const query = { limite: '200', ...(client !== null && { cliente: String(client) }) };
    const { records } = await walk(sandbox, 'visibility/history', 'puntos', query);
    const points = records.filter(({ metodo }) => metodo === 'v2');
    ranks.set(client, new Map(points.map(({ fecha, puntuacion }) => [String(fecha), Number(puntuacion)])));
  }
});

afterAll(() => sandbox.close());

const of = (route: Route) => held.get(route) ?? [];
const clients = () => new Set(of('prompts').map(({ cliente }) => cliente));

function groups(records: readonly Body[], key: (record: Body) => string) {
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

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const share = (answers: readonly Body[]) => answers.filter(mentions).length / answers.length;

test('questions are those of one panel: two clients have 24, the others six', () => {
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

test('those whom answers name are the brand at its position, and the rivals of competitors as often as these say', async () => {
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

test('cited pages of a domain are counted by sources, and for rivals once for each that the answer names', async () => {
  const answers = new Map(of('respuestas').map((answer) => [answer['id'], answer]));
  const domains = groups(of('citas').filter(recent), ({ dominio }) => String(dominio));
  expect(new Set(of('sources').map(({ dominio }) => dominio))).toEqual(new Set(domains.keys()));
  for (const source of of('sources')) {
    const own = domains.get(String(source['dominio'])) ?? [];
    const citing = own.map(({ respuesta_id }) => answers.get(respuesta_id) ?? {});
    const rivalsOf = (answer: Body) => named(answer).length - (mentions(answer) ? 1 : 0);
    const forRivals = citing.reduce((sum, answer) => sum + rivalsOf(answer), 0);
    expect(source['citas']).toBe(own.length);
    expect(source['citasRivales']).toBe(forRivals);
    expect(source['brecha']).toBe(rounded((forRivals - own.length) / (forRivals + own.length), 3));
  }
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
});

test('crawler visits have as many lines in the access log', () => {
  const logged = new Map<string, number>();
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
  sandbox.setDate(today);
  expect(logged.size).toBeGreaterThan(20);
  for (const { dominio, bot, visitas7d } of of('crawl')) {
    expect([dominio, bot, logged.get(`${dominio} ${bot}`) ?? 0]).toEqual([dominio, bot, visitas7d]);
  }
});
