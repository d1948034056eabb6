// Finds places that may hold the rows of a source: arrays of objects, and maps with objects as entries.

import type { LogicalSource } from '../logical/logical-source.ts';
import { type Place, parsePlace, printPlace, type Step } from '../logical/place.ts';
import type { Reader } from '../logical/reader-names.ts';
import { subjectOf } from './expectations.ts';
import { nameScore } from './name-score.ts';
import { isWord } from './name-words.ts';
import { type Profiles, pathKey } from './profile.ts';

/** Returns the name of a step; the two positions of a range are named as its ends. */
export function keyName(step: string): string {
  if (step === '[0]') return 'lower';
  if (step === '[1]') return 'upper';
  return step.startsWith('[') || step === '*' || step === '@key' ? 'key' : step;
}

/** Readers of values that may be read either way. */
export const opposites: ReadonlyMap<Reader, Reader> = new Map([
  ['dmy', 'mdy'],
  ['mdy', 'dmy'],
  ['comma', 'point'],
  ['point', 'comma'],
]);

/** Returns `fecha | mdy` for `fecha | dmy`. */
export function otherReading(path: string): string | undefined {
  const place = parsePlace(path);
  const readers = place.readers.map((reader) => opposites.get(reader) ?? reader);
  return readers.join() === place.readers.join() ? undefined : printPlace({ ...place, readers });
}

/** True for the same path, however it is read. */
export function isSamePlace(text: string | null | undefined, place: Place): boolean {
  if (text === null || text === undefined) return false;
  return printPlace({ ...parsePlace(text), readers: [] }) === printPlace({ ...place, readers: [] });
}

export function stepOf(step: string): Step {
  if (step === '[]') return { kind: 'each' };
  if (step === '*') return { kind: 'entry' };
  if (step === '@key') return { kind: 'key' };
  const index = /^\[(\d+)\]$/.exec(step)?.[1];
  return index === undefined ? { kind: 'name', name: step } : { kind: 'index', index: Number(index) };
}

/** With fewer members, an object's keys may begin alike by chance. */
const fewestMembers = 3;

/** Returns, by path of the object, the meaningless prefixes that several of its members share. */
export function commonPrefixes(profiles: Profiles): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { path } of profiles.values()) {
    const name = path.at(-1);
    const parent = pathKey(path.slice(0, -1));
    if (name !== undefined) members.set(parent, [...(members.get(parent) ?? []), name]);
  }
  return new Map([...members].map(([parent, names]) => [parent, prefixesOf(names)]));
}

function prefixesOf(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const name of names) {
    const prefix = /^(\p{L}{1,5})_(?=.)/u.exec(name)?.[1]?.toLowerCase();
    if (prefix === undefined || isWord(prefix)) continue;
    times.set(prefix, (times.get(prefix) ?? 0) + 1);
  }
  return [...times].flatMap(([prefix, count]) => (count >= fewestMembers ? [prefix] : []));
}

export interface Rows {
  readonly base: readonly string[];
  readonly path: string;
}

/** Levels at which rows are searched: deeper elements are details of the rows. */
const mostLevels = 2;

export function rowPlaces(profiles: Profiles): Rows[] {
  return [...profiles.values()].flatMap(({ path, filled, objects }) => {
    const last = path.at(-1);
    const isRows = (last === '[]' || last === '*') && filled > 0 && objects >= filled * 0.8;
    if (!isRows || path.filter(isLevel).length > mostLevels) return [];
    const steps = last === '[]' ? path.slice(0, -1) : path;
    // A record that is a list has no path to it; and a field of every map entry does not belong to one entry.
    if (steps.length === 0 || isOfOneEntry(profiles, path)) return [];
    return [{ base: path, path: printPlace({ base: 'row', steps: steps.map(stepOf), readers: [] }) }];
  });
}

function isOfOneEntry(profiles: Profiles, path: readonly string[]): boolean {
  return path.some(
    (step, index) =>
      step !== '*' && profiles.has(pathKey([...path.slice(0, index), '*', ...path.slice(index + 1)])),
  );
}

export function worthOfName(source: LogicalSource, { base }: Rows): number {
  const keys = base.filter((step) => !isLevel(step));
  return nameScore(
    { names: source.rows ?? [], subject: subjectOf(source), implied: new Set(), wholes: [] },
    keys,
  );
}

const isLevel = (step: string) => step === '[]' || step === '*';
