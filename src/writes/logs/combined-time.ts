// The time of common and combined logs: `10/Oct/2000:13:55:36 -0700`.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const minuteMs = 60_000;

const shape = /^(\d{2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;

export interface ZonedTime {
  readonly at: Date;
  readonly zoneMinutes: number;
}

/** Reads such times. Lines of a log come second by second, so the last one is remembered. */
export function createCombinedTimeReader(): (text: string) => ZonedTime | null {
  let lastText = '';
  let last: ZonedTime | null = null;
  return (text) => {
    if (text === lastText) return last;
    last = readCombinedTime(text);
    // A copy: a piece of a line holds the whole block in memory.
    lastText = Buffer.from(text).toString();
    return last;
  };
}

export function readCombinedTime(text: string): ZonedTime | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, day, monthName = '', year, hour, minute, second, sign, zoneHour, zoneMinute] = match;
  const month = months.indexOf(monthName);
  const zone = Number(zoneHour) * 60 + Number(zoneMinute);
  const zoneMinutes = sign === '-' && zone > 0 ? -zone : zone;
  if (month === -1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || zone > 15 * 60)
    return null;
  const wallMs = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  // 31/Feb is another day to Date, and no day to us.
  if (new Date(Date.UTC(Number(year), month, Number(day))).getUTCDate() !== Number(day)) return null;
  return { at: new Date(wallMs - zoneMinutes * minuteMs), zoneMinutes };
}

export function writeCombinedTime(at: Date, zoneMinutes: number): string {
  const wall = new Date(at.getTime() + zoneMinutes * minuteMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = Math.abs(zoneMinutes);
  const day = `${two(wall.getUTCDate())}/${months[wall.getUTCMonth()]}/${String(wall.getUTCFullYear()).padStart(4, '0')}`;
  const time = `${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
  return `${day}:${time} ${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(zone / 60))}${two(zone % 60)}`;
}
