// Replaces what looks like a secret in a free text: header lines, assignments, queries, addresses.
import { mark } from './known-secrets.ts';

// Bounded, so that a long run of backslashes costs no quadratic time.
const quote = '\\\\{0,8}["\']';
const name =
  '(?:proxy-authorization|authorization|set-cookie|cookie|(?:[a-z0-9_-]*[_-])?(?:api[_-]?key|password|passwd|passphrase|pwd|secret|token|(?:private|access|secret)[_-]?key)|[a-z0-9]*(?:password|apikey|secret|token))';
// `name=`, `name: `, `"name":"`, `'name', '`, `name%3D`; a scheme before the secret stays readable.
const start = `(?<![a-z0-9_-])(?<quote>${quote})?${name}(?:\\k<quote>\\s*[:=]\\s*|\\k<quote>?%3D|\\k<quote>\\s*,\\s*(?=${quote}))`;
const scheme = '(?:(?:bearer|basic|digest|token)\\s+)?';

// A value in quotes ends at the same quote, another at a blank or a separator.
const quotedValue = new RegExp(
  `(?<before>${start}(?<end>${quote})${scheme})(?!\\k<end>)(?:(?!\\k<end>).)+`,
  'gis',
);
const bareValue = new RegExp(`(?<before>${start}${scheme})(?!${quote})(?<value>[^\\s"',;&}\\])\\\\]+)`, 'gi');
const cookieLine = /((?:^|[\s"'])(?:set-)?cookie:\s*)[^\r\n"']+/gi;
// On one line: the next one begins with other words, and a coloured mark there has digits in its codes.
const bearer = /(\b(?:bearer|basic)[^\S\r\n]+)(?=[^\s"',]*\d|[^\s"',]{16})[^\s"',;)\]}\\]+/gi;
const keyInQuery = /((?:[?&]|%3F|%26)key(?:=|%3D))(?:(?!%26)[^&\s"'\\#<>])+/gi;
const httpUser = /(\bhttps?:\/\/)[^\s/@"'?#<>]+@/gi;
const databaseUser = /(\bpostgres(?:ql)?:\/\/[^\s:@/"']*:)[^\s"'<>]*@/gi;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/"']*:)[^\s/"'?#<>]+@/gi;

/** Words and counts that stand where a secret would: `"token": 12`, `password: null`. */
function isHarmless(value: string): boolean {
  return /^(?:\d{1,6}|null|undefined|true|false|none)\.?$/i.test(value) || value.startsWith(mark);
}

export function replaceSecretLooks(text: string): string {
  return text
    .replace(databaseUser, `$1${mark}@`)
    .replace(httpUser, `$1${mark}@`)
    .replace(urlPassword, `$1${mark}@`)
    .replace(cookieLine, `$1${mark}`)
    .replace(quotedValue, `$<before>${mark}`)
    .replace(bareValue, (...match) => {
      const { before, value } = match.at(-1) as { before: string; value: string };
      return isHarmless(value) ? match[0] : `${before}${mark}`;
    })
    .replace(bearer, `$1${mark}`)
    .replace(keyInQuery, `$1${mark}`);
}
