// Lists of two kinds. States: slots with records that appear, change on 3 % of the days, and vanish. Archives: records
// numbered from the first day, newest first, that only grow.
import { dayMs } from '../../core/run-date.ts';
import { at, Dice, hashOf, mix } from '../random.ts';
import type { Brand, Scope } from './scope.ts';

/** Share of state records that change on a day. */
const dailyChange = 0.03;
const changeBound = Math.floor(dailyChange * 2 ** 32);
/** Days in which the last change is looked for; without one the record is as it was born. */
const memoryDays = 240;

export interface Slot {
  readonly brand: Brand;
  /** Index within its brand, from 0. */
  readonly slot: number;
  /** Number of the record in the slot; changes when one vanishes and another appears. */
  readonly life: number;
  /** Day the record appeared, and day of its last change. */
  readonly born: number;
  readonly changed: number;
  /** Draws that stay the same for the record's whole life. */
  readonly fixed: Dice;
  /** Draws that are new after each change. */
  readonly state: Dice;
}

interface StateOptions {
  readonly name: string;
  /** Names the changes, if lists of one name change on different days. Default: `name`. */
  readonly changes?: string;
  readonly perBrand: number | ((brand: Brand) => number);
  /** Default: all brands of the account. */
  readonly brands?: readonly Brand[];
  /** Records never vanish. Default: false. */
  readonly permanent?: boolean;
}

/** Builds something from each state record of a day. */
export function states<Made>(
  scope: Scope,
  options: StateOptions,
  build: (slot: Slot) => Made,
): readonly Made[] {
  return slotsOf(scope, options).map((slot) => build(withDraws(scope, options, slot)));
}

type Occupied = Pick<Slot, 'brand' | 'slot' | 'life' | 'born'>;

function slotsOf(scope: Scope, options: StateOptions): readonly Occupied[] {
  const occupied: Occupied[] = [];
  const name = hashOf(scope.seed, options.name);
  for (const brand of options.brands ?? scope.brands) {
    const slots = typeof options.perBrand === 'number' ? options.perBrand : options.perBrand(brand);
    for (let slot = 0; slot < slots; slot++) {
      const draw = mix(mix(name, brand.index), slot);
      const cycle = 160 + (draw % 240);
      const lifetime = options.permanent ? cycle : Math.floor(cycle * 0.88);
      const position = (scope.today + (mix(draw, 1) % cycle)) % cycle;
      if (position >= lifetime) continue;
      const life = options.permanent ? 0 : Math.floor((scope.today + (mix(draw, 1) % cycle)) / cycle);
      const born = options.permanent ? scope.since - 30 : scope.today - position;
      occupied.push({ brand, slot, life, born });
    }
  }
  return occupied;
}

function withDraws(scope: Scope, options: StateOptions, occupied: Occupied): Slot {
  const { brand, slot, life, born } = occupied;
  const identity = hashOf(scope.seed, options.name, brand.index, slot, life);
  const changes = options.changes === undefined ? identity : hashOf(identity, options.changes);
  const changed = lastChange(changes, born, scope.today);
  return { ...occupied, changed, fixed: new Dice(identity), state: new Dice(changes, 'state', changed) };
}

function lastChange(changes: number, born: number, today: number): number {
  const oldest = Math.max(born, today - memoryDays);
  for (let day = today; day > oldest; day--) {
    if (mix(changes, day) < changeBound) return day;
  }
  return born;
}

export interface Entry {
  /** 0 is the oldest. */
  readonly number: number;
  readonly brand: Brand;
  readonly day: number;
  readonly epochMs: number;
  /** Days since it was written; 0 today. */
  readonly age: number;
  readonly fixed: Dice;
}

export interface ArchiveOptions {
  readonly name: string;
  /** Entries per day of all brands together; may be a fraction. */
  readonly perDay: number;
  readonly brands?: readonly Brand[];
}

/** Returns the entries up to a day's end, newest first. */
export function archive<Made>(
  scope: Scope,
  options: ArchiveOptions,
  build: (entry: Entry) => Made,
): readonly Made[] {
  const length = archiveLength(scope, options);
  return Array.from({ length }, (_, index) => build(entryOf(scope, options, length - 1 - index)));
}

/** Counts the entries up to a day's end. */
export function archiveLength({ today, since }: Scope, { perDay }: ArchiveOptions): number {
  return Math.max(0, Math.ceil((today - since + 1) * perDay - 1e-9));
}

export function entryOf(scope: Scope, options: ArchiveOptions, number: number): Entry {
  const start = scope.since + number / options.perDay;
  const day = Math.floor(start + 1e-9);
  const fixed = new Dice(scope.seed, options.name, number);
  // Later than an even spread, but before the next entry and on the same day, so that order and counts hold.
  const room = Math.min(1 / options.perDay, day + 1 - start) * 0.9;
  const epochMs = Math.floor((start + fixed.fraction() * room) * dayMs);
  return {
    number,
    brand: at(options.brands ?? scope.brands, number),
    day,
    epochMs,
    age: scope.today - day,
    fixed,
  };
}
