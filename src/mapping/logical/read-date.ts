// A date, or a date and time, as people write it: what sync.bi_date and sync.bi_timestamp say in SQL.

/** Which comes first in 03/04/2026. */
export type First = 'dmy' | 'mdy';

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

const written =
  /^([0-9]{1,2})(:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,30})?)?)( ?([ap])[.]? ?m[.]?)?( ?(z|utc|gmt|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?))?$/;

/** `YYYY-MM-DD`; of seconds or milliseconds since 1970 that in UTC. */
export function readDate(text: string, first: First | undefined): string | undefined {
  const iso = isoText(text, first)?.slice(0, 10);
  return iso === undefined || utcDay(iso) === undefined ? undefined : iso;
}

/** Milliseconds since 1970; a day alone is no moment. */
export function readMoment(text: string, first: First | undefined): number | undefined {
  const iso = isoText(text, first);
  const parts =
    /^(.{10})T([0-9]{2}):([0-9]{2})(?::([0-9]{2}(?:[.,][0-9]+)?))?(?:Z|([+-])([0-9]{2}):?([0-9]{2})?)$/.exec(
      iso ?? '',
    );
  const [, date = '', hours, minutes, seconds = '0', sign, zoneHours, zoneMinutes = '0'] = parts ?? [];
  const day = utcDay(date);
  if (day === undefined) return undefined;
  // Postgres rounds to microseconds.
  const micros = Math.round(Number(seconds.replace(',', '.')) * 1e6);
  const zone = sign === undefined ? 0 : Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return day + (Number(hours) * 60 + Number(minutes) - zone) * 60_000 + Math.floor(micros / 1000);
}

/** In the form of ISO 8601; the day need not be in the calendar. */
function isoText(text: string, first: First | undefined): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes < 8 || bytes > 64) return undefined;
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
  const parts = written.exec(clock);
  if (parts === null) return undefined;
  const [, given = '', rest = '', , half, , zone = ''] = parts;
  if (half !== undefined && (Number(given) < 1 || Number(given) > 12)) return undefined;
  const hour = half === undefined ? Number(given) : (Number(given) % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23) return undefined;
  return `${String(hour).padStart(2, '0')}${rest}${/^[+-]/.test(zone) ? zone : 'Z'}`;
}

function isoDay(text: string, first: First | undefined): string | undefined {
  const day = text.replaceAll(/^[ ,t]+|[ ,t]+$/g, '');
  const [year = '', month = '', date = ''] = numbersOf(day, first) ?? wordsOf(day) ?? [];
  return year === '' ? undefined : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
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

/** Milliseconds since 1970; undefined: there is no such day in the years 1 to 9999. */
function utcDay(iso: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(iso) || iso.startsWith('0000')) return undefined;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? undefined : ms;
}
