// Reads values as logical types for samples of the data, with the same results as the SQL of read-sql.ts.
import { currencies } from '../../core/currencies.ts';
import { dayMs } from '../../core/run-date.ts';
import type { LogicalType } from './logical-source.ts';
import { listReader } from './place-fits.ts';
import type { Reader } from './reader-names.ts';

/** Order of day and month in 03/04/2026. */
type First = 'dmy' | 'mdy';

const months = new Map(
  [
    'jan january ene enero',
    'feb february febrero',
    'mar march marzo',
    'apr april abr abril',
    'may mayo',
    'jun june junio',
    'jul july julio',
    'aug august ago agosto',
    'sep sept september septiembre set setiembre',
    'oct october octubre',
    'nov november noviembre',
    'dec december dic diciembre',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, String(index + 1)] as const)),
);

const clockForm =
  /^([0-9]{1,2})(:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,30})?)?)( ?([ap])[.]? ?m[.]?)?( ?(z|utc|gmt|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?))?$/;

/** Returns `YYYY-MM-DD`; for seconds or milliseconds since 1970, the day in UTC. */
function readDate(text: string, first: First | undefined): string | undefined {
  const iso = isoText(text, first)?.slice(0, 10);
  return iso === undefined || utcDay(iso) === undefined ? undefined : iso;
}

/** Bounds of moments, as in sync.as_timestamp: one day inside the range at each end, for any time zone. */
const firstMoment = Date.parse('0001-01-02T00:00Z');
const endOfMoments = Date.parse('9999-12-31T00:00Z');

function readMoment(text: string, first: First | undefined): number | undefined {
  const iso = isoText(text, first);
  const parts =
    /^(.{10})T([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:[.,][0-9]+)?))?(?:Z|([+-])([0-9]{2}):?([0-9]{2})?)$/.exec(
      iso ?? '',
    );
  const [, date = '', hours, minutes, seconds = '0', sign, zoneHours, zoneMinutes = '0'] = parts ?? [];
  const day = utcDay(date);
  if (day === undefined) return undefined;
  const millis = Math.round(Number(seconds.replace(',', '.').slice(0, 6)) * 1000);
  const zone = sign === undefined ? 0 : Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  const moment = day + (Number(hours) * 60 + Number(minutes) - zone) * 60_000 + millis;
  return moment >= firstMoment && moment < endOfMoments ? moment : undefined;
}

/** Returns the text in ISO 8601; the day may not exist in the calendar. */
function isoText(text: string, first: First | undefined): string | undefined {
  const bytes = Buffer.byteLength(text);
  // Every form has a year of four digits, or a longer number.
  if (bytes < 8 || bytes > 64 || !/[0-9]{4}/.test(text)) return undefined;
  if (/^[1-9][0-9]{9}(\.[0-9]{1,9})?$/.test(text)) return new Date(Number(text) * 1000).toISOString();
  if (/^[1-9][0-9]{12}$/.test(text)) return new Date(Number(text)).toISOString();
  const plain = text
    .replaceAll(/[\u00a0\u2009\u202f]/g, ' ')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!plain.includes(':')) return isoDay(plain, first);
  const clock = /[0-9]{1,2}:.*$/s.exec(plain)?.[0];
  if (clock === undefined) return undefined;
  const day = isoDay(plain.slice(0, -clock.length), first);
  const time = isoClock(clock.replace(/ +$/, ''));
  return day === undefined || time === undefined ? undefined : `${day}T${time}`;
}

function isoClock(clock: string): string | undefined {
  const parts = clockForm.exec(clock);
  if (parts === null) return undefined;
  const [, given = '', rest = '', , half, , zone = ''] = parts;
  if (half !== undefined && (Number(given) < 1 || Number(given) > 12)) return undefined;
  const hour = half === undefined ? Number(given) : (Number(given) % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23) return undefined;
  return `${String(hour).padStart(2, '0')}${rest}${/^[+-]/.test(zone) ? zone : 'Z'}`;
}

function isoDay(text: string, first: First | undefined): string | undefined {
  const day = text.replaceAll(/^[ ,t]+|[ ,t]+$/g, '');
  const week = /^([0-9]{4})-?w([0-9]{2})$/.exec(day);
  if (week !== null) return mondayOf(Number(week[1]), Number(week[2]));
  const [year = '', month = '', date = ''] = numbersOf(day, first) ?? wordsOf(day) ?? [];
  return year === '' ? undefined : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}

/** Returns the Monday of an ISO week. 4 January is always in week 1. */
function mondayOf(year: number, week: number): string | undefined {
  if (year < 1 || week < 1 || week > 53) return undefined;
  const fourth = Date.parse(`${String(year).padStart(4, '0')}-01-04T00:00Z`);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs;
  return new Date(monday).toISOString().slice(0, 10);
}

type Day = readonly [year: string, month: string, date: string];

function numbersOf(day: string, first: First | undefined): Day | undefined {
  const parts = /^([0-9]{1,4})([/.-])([0-9]{1,2})\2([0-9]{1,4})$/.exec(day);
  if (parts === null) return undefined;
  const [, one = '', , two = '', three = ''] = parts;
  if (one.length === 4 && three.length <= 2) return [one, two, three];
  if (one.length > 2 || three.length < 4) return undefined;
  if (first === 'mdy' || (first === undefined && Number(two) > 12)) return [three, one, two];
  const isSure = first === 'dmy' || Number(one) > 12 || Number(one) === Number(two);
  return isSure ? [three, two, one] : undefined;
}

function wordsOf(day: string): Day | undefined {
  const words = day.split(/[ ,./-]/).filter((word) => !['', 'de', 'del'].includes(word));
  const [one = '', two = '', year = ''] = words;
  const [date, name] = months.has(one) ? [two, one] : [one, two];
  const month = months.get(name);
  const isDay = /^[0-9]{1,2}(st|nd|rd|th)?$/.test(date) && /^[0-9]{4}$/.test(year) && words.length === 3;
  return isDay && month !== undefined ? [year, month, String(Number.parseInt(date, 10))] : undefined;
}

/** Returns milliseconds since 1970; undefined if the years 1 to 9999 have no such day. */
function utcDay(iso: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(iso) || iso.startsWith('0000')) return undefined;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? undefined : ms;
}

/** Decimal mark. */
type Mark = 'comma' | 'point';

const before = `([a-z]{0,3}[$]|s/|${currencies})`;
const after = `(%|${currencies})`;
const written = new RegExp(`^ *[+-]? *(${before} *)?[+-]?[0-9][0-9., ']* *${after}? *$`, 'i');
/** Ordinals: `3.ª`, `#3`, `3rd`. */
const ordinal = /^ *(?:#|n[º°.])? ?([0-9]{1,9})(?:[.]?[ªº°]|st|nd|rd|th)? *$/i;
const decimalPoint = /^([0-9]{1,30}|[1-9][0-9]{0,2}(,[0-9]{3}){1,9})(\.[0-9]{1,30})?$/;
const decimalComma = /^([0-9]{1,30}|[1-9][0-9]{0,2}(\.[0-9]{3}){1,9})(,[0-9]{1,30})?$/;

/**
 * Returns every digit of a number, as `-12.50`.
 * @param mark if undefined, a text that could be two numbers is not read
 */
function readNumber(text: string, mark: Mark | undefined): string | undefined {
  if (Buffer.byteLength(text) > 80) return undefined;
  const plain = text
    .replaceAll('\u2212', '-')
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replaceAll('\u2019', "'");
  if (!written.test(plain)) return ordinal.exec(plain)?.[1];
  if (/[+-].*[+-]/.test(plain)) return undefined;
  const found = (/[0-9][0-9., ']*/.exec(plain)?.[0] ?? '').replace(/ +$/, '');
  const isGrouped = /[ ']/.test(found);
  if (isGrouped && !/^[1-9][0-9]{0,2}(( [0-9]{3})+|('[0-9]{3})+)([.,][0-9]+)?$/.test(found)) return undefined;
  if (!isGrouped && mark === undefined && /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(found)) return undefined;
  const digits = found.replaceAll(/[ ']/g, '');
  const sign = plain.includes('-') ? '-' : '';
  if (mark !== 'comma' && decimalPoint.test(digits)) return sign + digits.replaceAll(',', '');
  if (mark !== 'point' && decimalComma.test(digits)) {
    return sign + digits.replaceAll('.', '').replace(',', '.');
  }
  return undefined;
}

/**
 * Returns the value as SQL reads it: numbers as number, dates as `YYYY-MM-DD`, moments as ISO text in UTC to the
 * millisecond. Undefined if it cannot be read.
 */
export function readAs(type: LogicalType, readers: readonly Reader[], value: unknown): unknown {
  const reader = listReader(readers);
  if (reader === undefined) return readOne(type, readers, value);
  if (!Array.isArray(value)) return undefined;
  const elements = value.filter((one) => one !== null);
  switch (reader) {
    case 'first':
      return readOne(type, readers, elements[0]);
    case 'last':
      return readOne(type, readers, elements.at(-1));
    case 'count':
      return elements.length;
    case 'sum':
      return sumOf(type, readers, elements);
    case 'join':
      return joined(elements);
  }
}

function sumOf(
  type: LogicalType,
  readers: readonly Reader[],
  elements: readonly unknown[],
): number | undefined {
  const numbers = elements
    .map((one) => readOne(type === 'bigint' ? 'numeric' : type, readers, one))
    .filter((one) => typeof one === 'number');
  if (numbers.length === 0) return undefined;
  const sum = numbers.reduce((all, one) => all + one, 0);
  if (type !== 'bigint') return sum;
  // Next to a large number a fraction is lost in the sum.
  const rest = numbers.reduce((all, one) => all + (one % 1), 0);
  return Math.abs(rest - Math.round(rest)) < 1e-9 ? wholeOf(String(sum)) : undefined;
}

function readOne(type: LogicalType, readers: readonly Reader[], value: unknown): unknown {
  switch (type) {
    case 'text':
      return textOf(value);
    case 'numeric':
    case 'score':
    case 'rate': {
      const number = numberOf(readers, value);
      const isPercent =
        readers.includes('percent') || (type === 'rate' && typeof value === 'string' && value.includes('%'));
      return number === undefined ? undefined : Number(number) / (isPercent ? 100 : 1);
    }
    case 'bigint':
      return wholeOf(numberOf(readers, value));
    case 'boolean':
      return booleanOf(value);
    case 'date': {
      const text = textOf(value);
      return text === undefined ? undefined : readDate(text, firstOf(readers));
    }
    case 'timestamptz': {
      const text = textOf(value);
      const ms = text === undefined ? undefined : readMoment(text, firstOf(readers));
      return ms === undefined ? undefined : new Date(ms).toISOString();
    }
    case 'list':
      return Array.isArray(value) ? joined(value) : textOf(value);
    case 'presence':
      return typeof value === 'object' && value !== null
        ? String(Object.keys(value).length > 0)
        : textOf(value);
    case 'json':
      return value;
  }
}

function firstOf(readers: readonly Reader[]): 'dmy' | 'mdy' | undefined {
  return (['dmy', 'mdy'] as const).find((one) => readers.includes(one));
}

/** Returns every digit of a number, as far as JavaScript has them. */
function numberOf(readers: readonly Reader[], value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  const mark = (['comma', 'point'] as const).find((one) => readers.includes(one));
  return typeof value === 'string' ? readNumber(value, mark) : undefined;
}

function wholeOf(number: string | undefined): number | undefined {
  if (number === undefined || !Number.isInteger(Number(number))) return undefined;
  const digits = /^[+-]?[0-9]+/.exec(number)?.[0];
  // A number with an exponent is beyond bigint.
  if (digits === undefined || !/^[+-]?[0-9]+(\.0*)?$/.test(number)) return undefined;
  return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits) ? Number(number) : undefined;
}

const yes = [
  'true',
  'si',
  'sí',
  'sÍ',
  'yes',
  '1',
  'verdadero',
  'activo',
  'activa',
  'active',
  'on',
  'x',
  'y',
  's',
  'enabled',
];
const no = ['disabled', 'false', 'no', '0', 'falso', 'inactivo', 'inactiva', 'inactive', 'off', 'n'];

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = (textOf(value) ?? '')
    .replaceAll(/^ +| +$/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return yes.includes(word) ? true : no.includes(word) ? false : undefined;
}

/** Returns a non-empty scalar as text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function joined(values: readonly unknown[]): string | undefined {
  const texts = values.flatMap((one) => nameIn(one) ?? []);
  return texts.length === 0 ? undefined : texts.join(', ');
}

const naming = ['nombre', 'name', 'titulo', 'title', 'texto', 'text', 'label', 'motor', 'url', 'id'];

/**
 * Returns a scalar as text. From an object it takes the member that most likely names it, else the first text with
 * letters, else the first scalar, in the order of jsonb.
 */
function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textOf(value);
  const members = Object.entries(value).sort(([a], [b]) => byJsonb(a, b));
  const likely = naming.flatMap((key) => members.filter(([one]) => one === key));
  const lettered = members.filter(([, member]) => typeof member === 'string' && /[a-zA-Z]/.test(member));
  return [...likely, ...lettered, ...members]
    .map(([, member]) => textOf(member))
    .find((text) => text !== undefined);
}

/** Compares keys in the order of jsonb: shorter ones first. */
function byJsonb(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length - right.length || Buffer.compare(left, right);
}
