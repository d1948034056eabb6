// Steps of a profile as steps of a path, and as words.
import { type Place, parsePlace, printPlace, type Step } from '../logical/place.ts';
import type { Reader } from '../logical/reader-names.ts';

/** The two positions of a range are its ends. */
export function keyName(step: string): string {
  if (step === '[0]') return 'lower';
  if (step === '[1]') return 'upper';
  return step.startsWith('[') || step === '*' || step === '@key' ? 'key' : step;
}

const opposites: ReadonlyMap<Reader, Reader> = new Map([
  ['dmy', 'mdy'],
  ['mdy', 'dmy'],
  ['comma', 'point'],
  ['point', 'comma'],
]);

/** `fecha | mdy` for `fecha | dmy`. */
export function otherReading(path: string): string | undefined {
  const place = parsePlace(path);
  const readers = place.readers.map((reader) => opposites.get(reader) ?? reader);
  return readers.join() === place.readers.join() ? undefined : printPlace({ ...place, readers });
}

/** The same path, read in whatever way. */
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

export function profileStep(step: Step): string {
  switch (step.kind) {
    case 'name':
      return step.name;
    case 'index':
      return `[${step.index}]`;
    case 'each':
      return '[]';
    case 'entry':
      return '*';
    case 'key':
    case 'value':
      return `@${step.kind}`;
  }
}
