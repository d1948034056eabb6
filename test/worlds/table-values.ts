// Makes the values that a world's table describes. They depend on place, member and number alone.

type Scalar = string | number | boolean | null;
/** Undefined: no such member. */
export type Value = Scalar | undefined;

export interface Calendar {
  /** The moment that day 0 is. */
  readonly start: number;
  readonly zone: string;
  readonly months: readonly string[];
}

export interface Draw {
  /** 0 is the account itself, then its clients. */
  readonly member: number;
  /** Place of the record among those of its member, or of the element in its list. */
  readonly index: number;
  /** Number of the record, other than that of any other in its list. */
  readonly serial: number;
  readonly day: number;
  readonly calendar: Calendar;
  readonly cast: (column: string, member: number) => Value;
  readonly key: (field: string, draw: Draw) => Value;
}

type Make = (draw: Draw) => Value;

/** The alternatives of a place, each with its share. */
export interface Column {
  /** In [0, 1), so that each place begins elsewhere. */
  readonly start: number;
  /** Records that share an alternative, where they take strict turns; else 0. */
  readonly each: number;
  readonly parts: readonly { readonly make: Make; readonly share: number }[];
}

/** Draws in [0, 1). */
function chance(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x7feb352d);
    hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}

const seedOf = (text: string): number =>
  [...text].reduce((hash, char) => Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5);

/** Parts with a share take it, the others share what is left. @param place route and path, apart by a space */
export function columnOf(text: string, place: string): Column {
  const [, turns, rest = text] = /^each(?:\/(\d+))? (.*)$/.exec(text) ?? [];
  const parts = rest.split(' | ').map((part) => {
    const [, value = part, share] = /^(.*) (\d+)%$/.exec(part) ?? [];
    return { make: makerOf(value, place), told: share === undefined ? undefined : Number(share) / 100 };
  });
  const left = 1 - parts.reduce((sum, { told = 0 }) => sum + told, 0);
  const open = parts.filter(({ told }) => told === undefined).length;
  const shared = parts.map(({ make, told }) => ({ make, share: told ?? left / open }));
  const each = rest === text ? 0 : Number(turns ?? 1);
  return { start: chance(seedOf(place)), each, parts: shared };
}

/** Steps through the alternatives so that few draws already show the shares. */
export function madeOf({ start, each, parts }: Column, draw: Draw): Value {
  if (each > 0) return parts[Math.floor(draw.index / each) % parts.length]?.make(draw);
  let at = (start + (draw.member * 7 + draw.serial + draw.index) * 0.618034) % 1;
  const taken = parts.find(({ share }) => {
    at -= share;
    return at < 0;
  });
  return (taken ?? parts.at(-1))?.make(draw);
}

function makerOf(text: string, place: string): Make {
  if (text === '-') return () => undefined;
  if (text === '{}') return () => text;
  if (text.startsWith('"')) return templateOf(JSON.parse(text) as string, place);
  if (/^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text)) {
    const value = JSON.parse(text) as Scalar;
    return () => value;
  }
  const alone = /^\{([^{}]*)\}$/.exec(text)?.[1];
  return alone === undefined ? templateOf(text, place) : partOf(alone, place);
}

function templateOf(text: string, place: string): Make {
  const pieces = text.split(/\{([^{}]*)\}/);
  const makers = pieces.map((piece, at) => (at % 2 === 0 ? () => piece : partOf(piece, place)));
  return (draw) => makers.map((make) => String(make(draw) ?? '')).join('');
}

function partOf(text: string, place: string): Make {
  const seed = seedOf(`${place} ${text}`);
  const drawn = ({ member, serial, index }: Draw, also: number) => chance(seed, member, serial, index, also);
  const number = /^(~?)(-?[\d.]+)\.\.(-?[\d.]+)(?: (\w+))?$/.exec(text);
  if (number !== null) {
    const [, moves, low = '', high = '', form] = number;
    const digits = low.split('.')[1]?.length ?? 0;
    const steps = Math.round((Number(high) - Number(low)) * 10 ** digits) + 1;
    return (draw) => {
      const step = Math.floor(drawn(draw, moves === '' ? 0 : draw.day) * steps);
      return written(Number(low) + step * 10 ** -digits, digits, form);
    };
  }
  const date = /^(day|today) (-?\d+)(?:(\.\.)(-?\d+)?)?(?:\/(-?\d+))? (.+)$/.exec(text);
  if (date !== null) {
    const [, from, first = '', ranges, last, step = '1', form = ''] = date;
    const width = last === undefined ? 0 : Number(last) - Number(first) + 1;
    return (draw) => {
      const inOrder = ranges !== undefined && last === undefined ? draw.index * Number(step) : 0;
      const offset =
        Number(first) + inOrder + Math.floor(drawn(draw, 0) * width) + (from === 'today' ? draw.day : 0);
      return dated(offset, Math.floor(drawn(draw, 1) * 240), form, draw.calendar);
    };
  }
  const [name = '', size = ''] = text.split(':');
  switch (name) {
    case 'index':
      return ({ index }) => index + 1;
    case 'n': {
      // Numbers of different routes are different ones.
      const first =
        size === '' ? 100_000 * (1 + Math.floor(chance(seedOf(place.split(' ')[0] ?? '')) * 80)) : 1;
      return ({ member, index }) => {
        const value = first + member * 1000 + index;
        return size === '' ? value : String(value).padStart(Number(size), '0');
      };
    }
    case 'hex':
      return (draw) => hex(Number(size), (at) => drawn(draw, at));
    case 'guid':
      return (draw) => hex(32, (at) => drawn(draw, at)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  if (name.startsWith('@')) return (draw) => draw.key(name.slice(1), draw);
  // An object that the account itself does not have.
  if (name.startsWith('?')) return ({ cast, member }) => (cast(name.slice(1), member) === null ? null : '{}');
  return ({ cast, member }) => cast(name, member);
}

function hex(length: number, draw: (at: number) => number): string {
  let text = '';
  while (text.length < length)
    text += Math.floor(draw(text.length) * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, length);
}

/** `plain` 1234.5, `comma` 1234,5, `en` 1,234.5, `de` 1.234,5; else a number. */
function written(value: number, digits: number, form: string | undefined): string | number {
  if (form === undefined) return Number(value.toFixed(digits));
  if (form === 'plain') return value.toFixed(digits);
  if (form === 'comma') return value.toFixed(digits).replace('.', ',');
  const [whole = '', part] = value.toFixed(digits).split('.');
  const [thousands, point] = form === 'de' ? ['.', ','] : [',', '.'];
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
  return part === undefined ? grouped : `${grouped}${point}${part}`;
}

/** `ms` and `s` since 1970, else a form: yyyy mm dd d month mon hh min zone. */
function dated(offset: number, minutes: number, form: string, { start, zone, months }: Calendar): Scalar {
  const utcMs = start + offset * 86_400_000 + minutes * 60_000;
  if (form === 'ms') return utcMs;
  if (form === 's') return utcMs / 1000;
  const shift = form.includes('zone') ? Number(zone.slice(0, 3)) * 3_600_000 : 0;
  const [year = '', month = '', day = '', hours = '', min = ''] = new Date(utcMs + shift)
    .toISOString()
    .split(/[-T:]/);
  const name = months[Number(month) - 1] ?? '';
  const texts = { yyyy: year, month: name, mon: name.slice(0, 3), min, mm: month, dd: day, hh: hours, zone };
  return form.replaceAll(/yyyy|month|mon|min|mm|dd|hh|zone|\bd\b/g, (token) =>
    token === 'd' ? String(Number(day)) : texts[token as keyof typeof texts],
  );
}
