// The place of a value in the data, as users write it: `resultado.total`, `serie[-1].fecha | dmy`, `^"a.b"`,
// `^^moneda`. The language is described in docs/views.md.
import { ConfigError } from '../../core/errors.ts';
import { listReaders, type Reader, readerNames } from './reader-names.ts';

export type Step =
  | { readonly kind: 'name'; readonly name: string }
  /** One element of an array; -1 is the last. */
  | { readonly kind: 'index'; readonly index: number }
  /** `[]`: every element of an array. */
  | { readonly kind: 'each' }
  /** `*`: every entry of a map. */
  | { readonly kind: 'entry' }
  /** `@key`: the key of the map entry that is the row. */
  | { readonly kind: 'key' }
  /** `@value`: the row itself, if rows are not objects. */
  | { readonly kind: 'value' };

/** Start of a path: the row; `^` the record that holds it; `^^` the body around the list of records. */
export type PlaceBase = 'row' | 'record' | 'envelope';

export interface Place {
  readonly base: PlaceBase;
  readonly steps: readonly Step[];
  readonly readers: readonly Reader[];
}

const marks: Readonly<Record<PlaceBase, string>> = { row: '', record: '^', envelope: '^^' };

/** Names that would be misread without quotes. */
const needsQuotes = /^$|^\s|\s$|[.[\]|"^@#]|^\*$|[\p{Cc}]/u;

/** @throws ConfigError naming the character and what was expected there */
export function parsePlace(text: string): Place {
  const reader = new PlaceReader(text);
  return reader.place();
}

/** Returns the canonical text: each place has just one. */
export function printPlace({ base, steps, readers }: Place): string {
  const path = steps.reduce((before, step) => {
    const next = printStep(step);
    return before === '' || next.startsWith('[') ? before + next : `${before}.${next}`;
  }, '');
  const sorted = readerNames.filter((name) => readers.includes(name));
  return [`${marks[base]}${path}`, ...sorted].join(' | ');
}

function printStep(step: Step): string {
  return step.kind === 'name' && needsQuotes.test(step.name)
    ? `"${step.name.replaceAll(/["\\]/g, '\\$&')}"`
    : profileStep(step);
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

class PlaceReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  place(): Place {
    const base = this.#base();
    const steps = this.#steps();
    const readers = this.#readers();
    const isList =
      steps.some(({ kind }) => kind === 'each') || !listReaders.some((one) => readers.includes(one));
    return { base, steps: isList ? steps : [...steps, { kind: 'each' }], readers };
  }

  #base(): PlaceBase {
    const mark = this.#take(/\^{1,2}/y);
    return mark === '^^' ? 'envelope' : mark === '^' ? 'record' : 'row';
  }

  #steps(): Step[] {
    const steps: Step[] = [this.#step()];
    for (;;) {
      if (this.#take(/\./y) !== undefined) steps.push(this.#step());
      else if (this.#text[this.#at] === '[') steps.push(this.#bracket());
      else return steps;
    }
  }

  #step(): Step {
    if (this.#text[this.#at] === '[') return this.#bracket();
    if (this.#text[this.#at] === '"') return { kind: 'name', name: this.#quoted() };
    const special = this.#take(/@[^.[|\s]*/y);
    if (special === '@key') return { kind: 'key' };
    if (special === '@value') return { kind: 'value' };
    if (special !== undefined) {
      this.#at -= special.length;
      throw this.#fault('@key or @value', special, `A name that begins with @ is written "${special}"`);
    }
    const found = /(?:(?! *\|)[^.[|])+/y;
    const name = this.#take(found) ?? '';
    if (name === '*') return { kind: 'entry' };
    if (name === '')
      throw this.#fault('a name', this.#rest(), 'A name with other characters goes in quotes: a."b.c"');
    if (needsQuotes.test(name)) {
      this.#at -= name.length;
      const fix = `Put the name in quotes: "${name.replaceAll(/["\\]/g, '\\$&')}"`;
      throw this.#fault(
        'a name without . [ ] | " ^ @ # and without spaces at its ends',
        JSON.stringify(name),
        fix,
      );
    }
    return { kind: 'name', name };
  }

  #bracket(): Step {
    const text = this.#take(/\[(?:-?[0-9]{1,9})?\]/y);
    if (text === undefined) {
      throw this.#fault('[], [0], [1] or [-1]', this.#rest(), '[] is every element, [-1] the last one');
    }
    if (text === '[]') return { kind: 'each' };
    // Adding 0 turns -0 into 0.
    return { kind: 'index', index: Number(text.slice(1, -1)) + 0 };
  }

  #quoted(): string {
    const text = this.#take(/"(?:[^"\\]|\\["\\])*"/y);
    if (text === undefined) {
      throw this.#fault(
        'a name in quotes',
        this.#rest(),
        'End it with ", and write \\" and \\\\ for " and \\ in it',
      );
    }
    return text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  }

  #readers(): Reader[] {
    const readers: Reader[] = [];
    while (this.#at < this.#text.length) {
      if (this.#take(/ *\| */y) === undefined) {
        throw this.#fault('., [ or |', this.#rest(), 'Names are joined by a point: a.b');
      }
      const word = this.#take(/[^|\s]*/y) ?? '';
      const reader = readerNames.find((one) => one === word);
      if (reader === undefined) {
        throw this.#fault(
          `one of ${readerNames.join(', ')}`,
          JSON.stringify(word),
          'What follows | says how to read it',
        );
      }
      if (readers.includes(reader))
        throw this.#fault('each reader once', JSON.stringify(word), 'Leave one of them out');
      readers.push(reader);
    }
    return readers;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #rest(): string {
    const rest = this.#text.slice(this.#at);
    return rest === '' ? 'its end' : JSON.stringify(rest.length > 20 ? `${rest.slice(0, 20)}…` : rest);
  }

  #fault(expected: string, got: string, fix: string): ConfigError {
    const where = `at character ${this.#at + 1} of the path ${JSON.stringify(this.#text)}`;
    return new ConfigError([`Expected ${expected} ${where}, got ${got}. ${fix}`]);
  }
}
