// Worlds are what mapping is judged by, so what they say of themselves must hold.
import { describe, expect, test } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { valuesAt } from '../worlds/values-at.ts';
import { listKeys, type World } from '../worlds/world.ts';
import { worlds } from '../worlds/worlds.ts';

const dates = [0, 1, 2];
const sources = new Map(logicalSources.map((source) => [source.name, source]));
const routes = catalog.filter((stream) => stream.source.kind !== 'public');

/** All bodies of a route on a day: of the account, and of each client where that is another one. */
function bodies(world: World, route: string, day = 0): unknown[] {
  const stream = catalog.find((known) => known.route === route);
  const scopes: string[] = stream?.perClient ? clientIds(world) : [];
  return ['', ...scopes].map((id) =>
    world.body(route, new URLSearchParams({ ...stream?.query, ...(id === '' ? {} : { cliente: id }) }), day),
  );
}

function clientIds(world: World): string[] {
  const paths = world.truth['clients.id']?.paths ?? [];
  return records(world, 'clientes').flatMap((record) => valuesAt(record, paths[0] ?? '').map(String));
}

/** The records of a route: the elements of its list, or the body. */
function records(world: World, route: string, day = 0): unknown[] {
  return bodies(world, route, day).flatMap((body) => {
    const key = world.listKeys[route] ?? listKeys[route];
    if (key === undefined) return [body];
    return (key === '' ? body : (body as Record<string, unknown>)[key]) as unknown[];
  });
}

/** By world, route and whether records are meant: bodies of the first day, which every field asks for. */
const firstDay = new Map<string, unknown[]>();

function heldOnFirstDay(world: World, route: string, isBeside: boolean): unknown[] {
  const key = `${world.name} ${route} ${isBeside}`;
  const held = firstDay.get(key) ?? (isBeside ? bodies(world, route) : records(world, route));
  firstDay.set(key, held);
  return held;
}

/** Every value that a path of a logical field reads on the first day. */
function readings(world: World, field: string, path: string): unknown[] {
  const name = field.split('.')[0] ?? '';
  const source = sources.get(name);
  const stream = catalog.find((known) => known.name === source?.stream);
  if (source === undefined || stream === undefined) return [];
  const isBeside = source.envelope || path.startsWith('^^');
  const held = heldOnFirstDay(world, stream.route, isBeside);
  const rows = world.truth[`${name}.(rows)`]?.paths[0];
  if (rows === undefined || field.endsWith('.(rows)') || path.startsWith('^')) {
    return held.flatMap((record) => valuesAt(record, path));
  }
  return held.flatMap((record) => valuesAt(record, rows, true)).flatMap((row) => valuesAt(row, path));
}

describe.each(worlds)('the $name world', (world) => {
  test('names logical fields that there are', () => {
    const unknown = Object.keys(world.truth).filter((field) => {
      const [name = '', member = ''] = field.split('.');
      const source = sources.get(name);
      return member === '(rows)' ? source?.rows === undefined : source?.fields[member] === undefined;
    });
    expect(unknown).toEqual([]);
  });

  test('says where fields are, and there they are', () => {
    const empty = Object.entries(world.truth).flatMap(([field, { paths }]) =>
      paths
        .filter((path) => readings(world, field, path).every((value) => value === null))
        .map((path) => `${field}: ${path}`),
    );
    expect(empty).toEqual([]);
  });

  test('answers every route of the reference on each day', () => {
    const silent = dates.flatMap((day) =>
      routes.filter(({ route }) => bodies(world, route, day).some((body) => body === undefined)),
    );
    expect(silent.map(({ route }) => route)).toEqual([]);
  });

  test('has a list where one is expected', () => {
    const none = Object.keys({ ...listKeys, ...world.listKeys }).filter((route) =>
      records(world, route).includes(undefined),
    );
    expect(none).toEqual([]);
  });

  test('answers a day alike each time, and other days otherwise', () => {
    const told = (day: number) => JSON.stringify(routes.map(({ route }) => bodies(world, route, day)));
    const first = dates.map(told);
    expect(new Set(first).size).toBe(dates.length);
    expect(dates.map(told).map((text, index) => text === first[index])).toEqual([true, true, true]);
  });
});
