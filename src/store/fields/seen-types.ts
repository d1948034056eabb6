// Tells which pages of a walk show a new field or type, so that of a first load of a million records only the useful
// pages are taken apart. A hint only: Postgres decides what a type is, and a page also counts as new where this module
// tells types apart less finely than `sync.json_type`.
import { isObject } from '../../core/json.ts';

const type = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 8,
  empty: 16,
  date: 32,
  timestamp: 64,
  text: 128,
  object: 256,
  array: 512,
} as const;

interface Place {
  types: number;
  /** Places by key; all elements of an array share one, ''. */
  readonly below: Map<string, Place>;
}

/** Objects with data as keys never stop being new; after this many places they are no longer counted. */
const maxPlaces = 5_000;

/** Numbers that are integers only to JavaScript: written with a point or an exponent, or rounded. */
const ambiguousNumber = /[:[,\s]-?\d+(?:\.0*[\s,}\]]|\.\d{15}|\.?\d*[eE])/;

const timeOfDay =
  /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,30})?)?(?: ?(?:[Zz]|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?))?$/;

/**
 * Until a stream has shown this many records, every page counts as new: with few records, only counts show that a field
 * is missing.
 */
const fewRecords = 10;

export class SeenTypes {
  readonly #record = newPlace();
  readonly #envelope = newPlace();
  readonly #known: SeenTypes | undefined;
  #places = 2;
  #records = 0;
  #hasAmbiguousNumbers = false;

  /** @param known types that published walks of the stream saw; none of them is new */
  constructor(known?: SeenTypes) {
    this.#known = known;
  }

  /**
   * True if a page holds a type at a place where neither an earlier page nor a known walk had it; remembers it.
   * @param text the JSON that both were parsed from
   * @param envelope the rest of the body beside its list
   */
  areNew(records: readonly unknown[], text: string, envelope: object = {}): boolean {
    this.#hasAmbiguousNumbers = ambiguousNumber.test(text);
    const known = this.#known;
    let isNew =
      this.#places > maxPlaces || (known !== undefined && known.#records + this.#records < fewRecords);
    // An optional chain cannot reach a private name.
    const [knownRecord, knownEnvelope] = known === undefined ? [] : [known.#record, known.#envelope];
    for (const record of records) if (this.#isNewAt(this.#record, knownRecord, record)) isNew = true;
    if (this.#isNewAt(this.#envelope, knownEnvelope, envelope)) isNew = true;
    this.#records += records.length;
    return isNew;
  }

  /** Adds the types of a walk. Called at its publish, which also learns them. */
  add(walk: SeenTypes): void {
    this.#records += walk.#records;
    this.#addPlace(this.#record, walk.#record);
    this.#addPlace(this.#envelope, walk.#envelope);
  }

  #addPlace(place: Place, other: Place): void {
    place.types |= other.types;
    for (const [key, below] of other.below) this.#addPlace(this.#below(place, key), below);
  }

  #isNewAt(place: Place, known: Place | undefined, value: unknown): boolean {
    if (Array.isArray(value)) {
      let isNew = note(place, known, type.array);
      const [elements, knownElements] = [this.#below(place, ''), known?.below.get('')];
      for (const element of value) if (this.#isNewAt(elements, knownElements, element)) isNew = true;
      return isNew;
    }
    if (isObject(value)) {
      let isNew = note(place, known, type.object);
      for (const key in value) {
        if (this.#isNewAt(this.#below(place, key), known?.below.get(key), value[key])) isNew = true;
      }
      return isNew;
    }
    const seen = this.#typeOf(value);
    return seen === undefined || note(place, known, seen);
  }

  #below(place: Place, key: string): Place {
    const known = place.below.get(key);
    if (known !== undefined) return known;
    const fresh = newPlace();
    this.#places += 1;
    if (this.#places <= maxPlaces) place.below.set(key, fresh);
    return fresh;
  }

  /** Undefined if only Postgres can say. */
  #typeOf(value: unknown): number | undefined {
    if (typeof value === 'string') return typeOfText(value);
    if (typeof value === 'number') return this.#typeOfNumber(value);
    return typeof value === 'boolean' ? type.boolean : type.null;
  }

  #typeOfNumber(value: number): number | undefined {
    if (Number.isSafeInteger(value)) return this.#hasAmbiguousNumbers ? undefined : type.integer;
    return Number.isFinite(value) && !Number.isInteger(value) ? type.number : undefined;
  }
}

interface SeenOnDate {
  readonly runDate: string;
  readonly streams: Map<string, SeenTypes>;
}

const seen = new WeakMap<object, SeenOnDate>();

/**
 * Returns the types that published walks of a stream met on a run date in any account, as fields belong to the stream.
 * Starts empty on the next date, since counts show the fields that are gone.
 * @param warehouse the one that this process works on
 */
export function typesSeenOn(warehouse: object, runDate: string, stream: string): SeenTypes {
  const known = seen.get(warehouse);
  const onDate = known?.runDate === runDate ? known : { runDate, streams: new Map<string, SeenTypes>() };
  seen.set(warehouse, onDate);
  const types = onDate.streams.get(stream) ?? new SeenTypes();
  onDate.streams.set(stream, types);
  return types;
}

function newPlace(): Place {
  return { types: 0, below: new Map() };
}

function note(place: Place, known: Place | undefined, bit: number): boolean {
  if ((place.types & bit) !== 0) return false;
  place.types |= bit;
  return known === undefined || (known.types & bit) === 0;
}

function typeOfText(text: string): number {
  if (text === '') return type.empty;
  if (text.charCodeAt(4) !== 0x2d || !isDate(text.slice(0, 10))) return type.text;
  if (text.length === 10) return type.date;
  return timeOfDay.test(text.slice(10)) ? type.timestamp : type.text;
}

function isDate(text: string): boolean {
  const [, year, , day = ''] = /^(\d{4})-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/.exec(text) ?? [];
  if (year === undefined || year === '0000' || day === '00') return false;
  return day <= '28' || new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}
