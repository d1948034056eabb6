// An event as a line of combined format: what the API takes, whatever the log looked like.
import { writeCombinedTime } from './combined-time.ts';
import { escapeQuoted } from './escapes.ts';
import type { LogEvent } from './log-event.ts';

const value = String.raw`(?:[^"\\\p{Cc}\u2028\u2029]|\\[!-~])*`;
const sendable = new RegExp(
  String.raw`^[!-~]+ - - \[[!-\\^-~ ]+\] "[A-Z]+ (?:[^"\\\s\p{Cc}]|\\[!-~])+ HTTP/\d(?:\.\d)?" \d{3} (?:\d{1,15}|-) "${value}" "${value}"$`,
  'u',
);

/** Whether a line of a log can go out as it is: no user of the site is named in it, and nothing breaks the line. */
export function isSendable(combined: string): boolean {
  return sendable.test(combined);
}

/** Without a line end. User names of the log are never in it. */
export function writeCombined(event: LogEvent): string {
  const time = writeCombinedTime(event.at, event.zoneMinutes);
  const request = `${event.method} ${noBlanks(event.path)} ${event.protocol}`;
  return `${addressOf(event.ip)} - - [${time}] "${escapeQuoted(request)}" ${statusOf(event.status)} ${event.bytes ?? '-'} "${quotedOr(event.referrer)}" "${quotedOr(event.userAgent)}"`;
}

/** 0 is written as servers do. */
function statusOf(status: number): string {
  return String(status).padStart(3, '0');
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
