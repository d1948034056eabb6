// Where the rows of a source may be in its records: arrays of objects, and maps with objects as their entries.
import type { LogicalSource } from '../logical/logical-source.ts';
import { printPlace } from '../logical/place.ts';
import { subjectOf } from './expectations.ts';
import { nameScore } from './name-score.ts';
import type { Profiles } from './profile.ts';
import { stepOf } from './steps.ts';

export interface Rows {
  readonly base: readonly string[];
  readonly path: string;
}

/** Deeper, elements are details of the rows. */
const mostLevels = 2;

export function rowPlaces(profiles: Profiles): Rows[] {
  return [...profiles.values()].flatMap(({ path, filled, objects }) => {
    const last = path.at(-1);
    const isRows = (last === '[]' || last === '*') && filled > 0 && objects >= filled * 0.8;
    if (!isRows || path.filter(isLevel).length > mostLevels) return [];
    const steps = last === '[]' ? path.slice(0, -1) : path;
    // A record that is a list has no path to it.
    if (steps.length === 0) return [];
    return [{ base: path, path: printPlace({ base: 'row', steps: steps.map(stepOf), readers: [] }) }];
  });
}

/** How well the array's name fits, 0 to 1. */
export function worthOfName(source: LogicalSource, { base }: Rows): number {
  const keys = base.filter((step) => !isLevel(step));
  return nameScore(
    { names: source.rows ?? [], subject: subjectOf(source), implied: new Set(), wholes: [] },
    keys,
  );
}

const isLevel = (step: string) => step === '[]' || step === '*';
