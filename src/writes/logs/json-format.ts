// Logs with an object of JSON a line.
import { isObject, type JsonObject } from '../../core/is-object.ts';
import { type JsonMap, jsonMaps } from './json-maps.ts';
import { type LineReading, nothing, unreadable } from './log-event.ts';
import type { LogFormat } from './log-format.ts';
import { createValueReader, type Meaning, type ValueReader } from './log-values.ts';

type Entry = readonly [Meaning, readonly (readonly string[])[]];

export const jsonFormats: readonly LogFormat[] = jsonMaps.map((map) => ({
  name: map.name,
  find(sample) {
    const objects = sample.map(parseObject).filter((object) => object !== null);
    if (!objects.some((object) => map.has.every((key) => valueAt(object, key.split('.')) !== undefined)))
      return null;
    const entries = entriesOf(map);
    const agentKeys = entries.find(([meaning]) => meaning === 'agent')?.[1] ?? [];
    return {
      name: map.name,
      why: map.why,
      hasAgents: objects.some((object) => agentKeys.some((path) => valueAt(object, path) !== undefined)),
      needsHead: false,
      reader: () => {
        const readValues = createValueReader();
        return { read: (line) => readLine(line, entries, readValues) };
      },
    };
  },
}));

function entriesOf({ keys }: JsonMap): Entry[] {
  return Object.entries(keys).map(([meaning, names]) => [
    meaning as Meaning,
    names.map((name) => name.split('.')),
  ]);
}

function readLine(line: string, entries: readonly Entry[], readValues: ValueReader): LineReading {
  if (line.trim() === '') return nothing;
  const object = parseObject(line);
  if (object === null) return unreadable('no JSON object');
  const values: { [Name in Meaning]?: unknown } = {};
  for (const [meaning, paths] of entries) values[meaning] = firstOf(object, paths);
  return readValues(values);
}

function firstOf(object: JsonObject, paths: readonly (readonly string[])[]): unknown {
  for (const path of paths) {
    const value = valueAt(object, path);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

function parseObject(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function valueAt(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}
