// An event as a line of combined format: what the API takes, whatever the log looked like.
import { writeCombinedTime } from './combined-time.ts';
import { escapeQuoted } from './escapes.ts';
import type { LogEvent } from './log-event.ts';

/** Without a line end. User names of the log are never in it. */
export function writeCombined(event: LogEvent): string {
  const time = writeCombinedTime(event.at, event.zoneMinutes);
  const request = `${event.method} ${noBlanks(event.path)} ${event.protocol}`;
  return `${addressOf(event.ip)} - - [${time}] "${escapeQuoted(request)}" ${event.status} ${event.bytes ?? '-'} "${quotedOr(event.referrer)}" "${quotedOr(event.userAgent)}"`;
}

/** An address stands before the first blank of the line, so it has none. */
function addressOf(ip: string | null): string {
  return ip === null || !/^[!-~]+$/.test(ip) ? '-' : ip;
}

/** A blank would end the path. */
function noBlanks(path: string): string {
  return path.replaceAll(/\s/g, (blank) => encodeURIComponent(blank));
}

function quotedOr(text: string | null): string {
  return text === null || text === '' ? '-' : escapeQuoted(text);
}
