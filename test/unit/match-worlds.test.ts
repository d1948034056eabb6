// What is found in the sandbox and in servers with names, formats and nestings of their own, and one made to mislead: a
// target, a figure of a rival, one before, one of another method, a remark. None is taken for the field that it is like.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { matchSource } from '../../src/mapping/matching/match-source.ts';
import { nearestPaths } from '../../src/mapping/matching/nearest-paths.ts';
import { neighboursOf } from '../../src/mapping/matching/neighbours.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, getBody, listOf, startOpenSandbox } from '../support/sandbox-requests.ts';
import { judgeMapping, sharesOf } from '../worlds/judge-mapping.ts';
import { matchWorld } from '../worlds/match-world.ts';
import { recordsOf, sampleOf } from '../worlds/records-of.ts';
import { worlds } from '../worlds/worlds.ts';

/** Share of the fields that is found without a hand; half of them where names are in neither Spanish nor English. */
const leastRight = (name: string) =>
  /^contrast-(es|en)$/.test(name) ? 0.95 : name.startsWith('contrast') ? 0.5 : 0.89;

test.each(worlds)(
  'nothing in the $name world is taken wrongly, and nearly all of it is found',
  async (world) => {
    const judged = judgeMapping(world.truth, await matchWorld(world));
    expect(judged.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const { present, right, proposed } = sharesOf(judged);
    expect(right / present).toBeGreaterThanOrEqual(leastRight(world.name));
    if (!world.name.startsWith('contrast')) expect((right + proposed) / present).toBeGreaterThanOrEqual(0.95);
  },
);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startOpenSandbox();
});

afterAll(() => sandbox.close());

test('values that never differ, codes and single words are found by their very names', async () => {
  const listed = listOf(await getBody(sandbox, 'clientes'), 'clientes');
  const clients = listed.map((client) => String(client['id']));
  const all = await recordsOf(sandbox.url, clients, { authorization: `Bearer ${sandbox.keys[0]}` });
  const keysOf = (stream: string) =>
    new Set((all.get(stream)?.records ?? []).map((record) => String(asBody(record)['id'])));
  const found = logicalSources.flatMap((source) => {
    const sample = sampleOf(source, all.get(source.stream));
    const match = matchSource(source, sample, neighboursOf(keysOf, []), {
      overrides: new Map(),
      current: new Map(),
    });
    return match.found.map(({ field, path }) => `${source.name}.${field} ${path}`);
  });
  const words = [
    'clients.status estado',
    'demand.cluster cluster',
    'demand.unit unidad',
    'triggers.done hecho',
  ];
  expect(found).toEqual(expect.arrayContaining(words));
  expect(found.length).toBeGreaterThan(300);
});

test('the nearest paths are those that are spelt alike, as they are written below the rows', () => {
  const record = { resultado: { total: 1 }, tono: 'x', zzzz: 1, list: [{ precio: 1, moneda: 'EUR' }] };
  const sample = [{ record, envelope: { generado: '2026-01-01', meta: { divisa: 'EUR' } } }];
  const near = (wanted: string, rowsPath?: string, isRows = false) =>
    nearestPaths(sample, wanted, { rowsPath, isRows });
  expect(near('resultado.totl')).toEqual(['resultado.total']);
  expect(near('total')[0]).toBe('resultado.total');
  expect(near('precios', 'list')).toEqual(['precio']);
  expect(near('tonos', 'list')[0]).toBe('^tono');
  expect(near('lst', undefined, true)).toEqual(['list']);
  expect(near('divisa')).toEqual(['^^meta.divisa']);
  expect(near('^^generada')).toEqual(['^^generado']);
  expect(near('divisa', undefined, true)).toEqual([]);
  expect(near('qqqqqqqq')).toEqual([]);
});
