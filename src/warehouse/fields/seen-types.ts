// Which pages of a walk show something new: a hint for learning fields, so that a first load of a million
// records is taken apart where it teaches something and nowhere else. Postgres alone says what a type is;
// what this module cannot tell apart as finely as `sync.json_type` counts as new.

/** A bit each: a million records have a few dozen million values. */
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
  /** Bits of `type`. */
  types: number;
  /** By key; of an array, its elements are the one place ''. */
  readonly below: Map<string, Place>;
}

/** Objects whose keys are data never stop being new; past this many places nobody keeps count. */
const maxPlaces = 5_000;

// An integer to JavaScript that is written with a point or an exponent, or that rounding made one.
const doubtfulNumber = /[:[,\s]-?\d+(?:\.0*[\s,}\]]|\.\d{15}|\.?\d*[eE])/;

const timeOfDay =
  /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,30})?)?(?: ?(?:[Zz]|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?))?$/;

/** Remembers the types at every place of the records that it was shown. */
export class SeenTypes {
  readonly #record = newPlace();
  #places = 1;
  #hasDoubtfulNumbers = false;

  /**
   * Whether records of one page hold a type at a place that no page before held it at, and remembers it.
   * @param text the JSON that `records` were parsed from
   */
  areNew(records: readonly unknown[], text: string): boolean {
    this.#hasDoubtfulNumbers = doubtfulNumber.test(text);
    let isNew = this.#places > maxPlaces;
    for (const record of records) if (this.#isNewAt(this.#record, record)) isNew = true;
    return isNew;
  }

  #isNewAt(place: Place, value: unknown): boolean {
    if (typeof value === 'object' && value !== null) {
      let isNew = note(place, Array.isArray(value) ? type.array : type.object);
      if (Array.isArray(value)) {
        for (const element of value) if (this.#isNewAt(this.#below(place, ''), element)) isNew = true;
        return isNew;
      }
      for (const key in value) {
        const member: unknown = (value as Record<string, unknown>)[key];
        if (this.#isNewAt(this.#below(place, key), member)) isNew = true;
      }
      return isNew;
    }
    const seen = this.#typeOf(value);
    return seen === undefined || note(place, seen);
  }

  #below(place: Place, key: string): Place {
    const known = place.below.get(key);
    if (known !== undefined) return known;
    const fresh = newPlace();
    this.#places += 1;
    if (this.#places <= maxPlaces) place.below.set(key, fresh);
    return fresh;
  }

  /** Undefined: only Postgres can say. */
  #typeOf(value: unknown): number | undefined {
    if (typeof value === 'string') return typeOfText(value);
    if (typeof value === 'number') return this.#typeOfNumber(value);
    return typeof value === 'boolean' ? type.boolean : type.null;
  }

  #typeOfNumber(value: number): number | undefined {
    if (Number.isSafeInteger(value)) return this.#hasDoubtfulNumbers ? undefined : type.integer;
    return Number.isFinite(value) && !Number.isInteger(value) ? type.number : undefined;
  }
}

function newPlace(): Place {
  return { types: 0, below: new Map() };
}

function note(place: Place, bit: number): boolean {
  if ((place.types & bit) !== 0) return false;
  place.types |= bit;
  return true;
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
