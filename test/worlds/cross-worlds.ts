// Crosses two servers: the fields of one get their names on the other, and stand beside what else the other tells. Shows
// what another server that nobody has seen would show: names that are right only beside their own neighbours.

import { type LogicalSource, rowsField } from '../../src/mapping/logical/logical-source.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import type { SampleRecord } from '../../src/mapping/matching/match.ts';
import { type Judgement, judgeMapping } from './judge-mapping.ts';
import { fieldsOfAll, readWorld } from './match-world.ts';
import type { World } from './table.ts';
import { valuesAt } from './values-at.ts';

type Truth = Record<string, World['truth'][string]>;
type Body = Record<string, unknown>;

const sampled = 300;

/** Judges the fields of a world that is told with the other's names, beside what the other tells besides. */
export async function matchCrossed(world: World, other: World): Promise<Judgement[]> {
  const [held, others] = await Promise.all([readWorld(world), readWorld(other)]);
  const truth: Truth = { ...world.truth };
  const samples = new Map<string, SampleRecord[]>();
  for (const source of logicalSources) {
    const sample = structuredClone(held.sampleOf(source).slice(0, sampled));
    samples.set(source.name, sample);
    const besides = placesOf(source, other.truth, others.sampleOf(source));
    graft(placesOf(source, truth, sample), besides, ownNames(source, other.truth));
    for (const field of Object.keys(source.fields))
      rename(source, `${source.name}.${field}`, truth, other.truth, sample);
  }
  return judgeMapping(truth, fieldsOfAll({ ...held, sampleOf: ({ name }) => samples.get(name) ?? [] }));
}

/** Returns the objects at which the paths of a source begin: its rows, its records (`^`), what is around them (`^^`). */
function placesOf(
  { name }: LogicalSource,
  truth: World['truth'],
  sample: readonly SampleRecord[],
  base = '',
): Body[] {
  const rows = truth[`${name}.${rowsField}`]?.paths[0];
  const found = sample.flatMap(({ record, envelope }) => {
    if (base === '^^') return [envelope];
    return rows === undefined || base === '^' ? [record] : valuesAt(record, rows, true);
  });
  const isBody = (one: unknown): one is Body =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  return [...new Set(found.filter(isBody))];
}

/** First names of the paths of all sources that share the records. */
function ownNames({ stream }: LogicalSource, truth: World['truth']): string[] {
  const names = logicalSources.filter((one) => one.stream === stream).map(({ name }) => `${name}.`);
  const fields = Object.entries(truth).filter(([field]) => names.some((name) => field.startsWith(name)));
  const first = (path: string) => /^\^*(?:"([^"]*)"|([^.[]*))/.exec(path.split(' | ')[0] ?? '');
  return fields.flatMap(([, { paths }]) => paths.map((path) => first(path)?.slice(1).join('') ?? ''));
}

/** Puts what is no field there beside what is one here. */
function graft(places: readonly Body[], others: readonly Body[], own: readonly string[]): void {
  const taken = new Set([...own, ...places.flatMap((place) => Object.keys(place))]);
  for (const [index, place] of places.entries()) {
    for (const [key, value] of Object.entries(others[index % others.length] ?? {}))
      if (!taken.has(key)) place[key] = structuredClone(value);
  }
}

/** A path of names alone: where it begins, the objects on the way, the name, and how it is read. */
const plain = /^(\^*)((?:[\w-]+\.)*)([\w-]+)(?: \|.*)?$/;

/** Gives a field the name that it has in the other world, unless that says little without the object around it. */
function rename(
  source: LogicalSource,
  field: string,
  truth: Truth,
  others: World['truth'],
  sample: readonly SampleRecord[],
): void {
  const [path = '', ...more] = truth[field]?.paths ?? [];
  const [, base, way = '', name = ''] = plain.exec(path) ?? [];
  const [, otherBase, otherWay, to = ''] = plain.exec(others[field]?.paths[0] ?? '') ?? [];
  if (more.length > 0 || base === undefined || base !== otherBase || otherWay !== '' || name === to) return;
  const starts = placesOf(source, truth, sample, base);
  const holders =
    way === '' ? starts : starts.flatMap((start) => valuesAt(start, way.slice(0, -1)) as Body[]);
  if (holders.some((holder) => holder === null || typeof holder !== 'object' || to in holder)) return;
  for (const holder of new Set(holders)) {
    const entries = Object.entries(holder);
    for (const [key] of entries) delete holder[key];
    for (const [key, value] of entries) holder[key === name ? to : key] = value;
  }
  const [old, renamed] = [`${base}${way}${name}`, `${base}${way}${to}`];
  for (const [other, place] of Object.entries(truth)) {
    if (!other.startsWith(`${source.name}.`)) continue;
    const paths = place.paths.map((one) =>
      one.startsWith(old) && /^(?:$|[.[ ])/.test(one.slice(old.length))
        ? renamed + one.slice(old.length)
        : one,
    );
    truth[other] = { ...place, paths };
  }
}
