// The kinds of value a setting can have: one zod schema each, and how text from a variable becomes its input.

import { isIP } from 'node:net';
import * as z from 'zod';
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';
import { didYouMean } from './nearest-name.ts';

export interface Kind<T> {
  /** Its messages are "expected" phrases (fault.ts). */
  readonly schema: z.ZodType<T>;
  readonly fromText: (text: string) => unknown;
}

const asIs = (text: string): unknown => text;

/** A parsed value, or the phrase for what was expected in its place. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

interface Refused {
  readonly ok: false;
  readonly expected: string;
  readonly hints: FaultHints;
}

export function refused(expected: string, got: string, fix?: string): Refused {
  return { ok: false, expected, hints: { got, ...(fix !== undefined && { fix }) } };
}

/** @param expected describes a valid value, for one that is no text */
export function parsedBy<T>(expected: string, parse: (text: string) => Parsed<T>): Kind<T> {
  return {
    schema: z.string({ error: expected }).transform((text, context) => {
      const result = parse(text);
      if (result.ok) return result.value;
      context.addIssue({ code: 'custom', message: result.expected, params: { ...result.hints } });
      return z.NEVER;
    }),
    fromText: asIs,
  };
}

/** A key of visible latin-1 characters; anything else could not be sent as a header. */
export function parseApiKey(text: string): Parsed<Secret> {
  const wanted = 'an API key on one line without spaces';
  if (text === '') return refused(wanted, 'an empty text');
  if (/^(bearer|basic)\s/i.test(text)) {
    return refused(
      wanted,
      'one that begins with "Bearer "',
      'Give only the key: the header is made from it.',
    );
  }
  const bad = /[^\x21-\x7e\xa1-\xff]/u.exec(text);
  if (bad === null) return { ok: true, value: new Secret(text) };
  const code = bad[0].codePointAt(0) ?? 0;
  let what = 'a character that a header cannot carry';
  if (code === 0x20 || code === 0xa0) what = 'a space';
  else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) what = 'a control character';
  return refused(wanted, `one with ${what} at position ${bad.index + 1}`, 'Copy the key again.');
}

/** Parses a key file: one line, its trailing newline dropped. */
export function parseApiKeyFile(content: string): Parsed<Secret> {
  const text = content.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  const wanted = 'a file that holds the API key on its only line';
  if (text.trim() === '') return refused(wanted, 'an empty file');
  if (/[\r\n]/.test(text)) return refused(wanted, `a file with ${text.split(/\r\n?|\n/).length} lines`);
  return parseApiKey(text);
}

interface Flaw {
  readonly expected: string;
  readonly fix: string;
}

/**
 * Finds what Postgres cannot store in a text; undefined: nothing. A NUL in a key path or a question would
 * fail a slice at night with an error of Postgres; half of a surrogate pair would silently become another
 * text.
 */
export function flawOf(text: string): Flaw | undefined {
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    return { expected: 'a text without NUL characters', fix: `Remove the NUL at position ${nul + 1}.` };
  }
  const half = /\p{Surrogate}/u.exec(text);
  if (half === null) return undefined;
  return {
    expected: 'a text of whole characters',
    fix: `Remove the half of a surrogate pair at position ${half.index + 1}.`,
  };
}

/** Not empty, and storable; `expected` is the phrase for everything else. */
export function storableText(expected: string) {
  return z.string({ error: expected }).min(1, { error: expected }).superRefine(checkStorable);
}

export function checkStorable(text: string, context: z.core.$RefinementCtx): void {
  const flaw = flawOf(text);
  if (flaw === undefined) return;
  context.addIssue({ code: 'custom', message: flaw.expected, params: { fix: flaw.fix } });
}

const decimal = (text: string): unknown => (/^-?\d{1,20}(\.\d{1,10})?$/.test(text) ? Number(text) : text);

export function integer(range: { readonly min: number; readonly max?: number }): Kind<number> {
  const { min, max = 2 ** 31 - 1 } = range;
  const atMost = `an integer <= ${max}`;
  const schema = z
    .int({ error: (issue) => (issue.code === 'too_big' ? atMost : `an integer >= ${min}`) })
    .min(min, { error: `an integer >= ${min}` })
    .max(max, { error: atMost });
  return { schema, fromText: decimal };
}

const belowHundred = 'a number >= 0 and below 100';

export const reservePercent: Kind<number> = {
  schema: z.number({ error: belowHundred }).min(0, { error: belowHundred }).lt(100, { error: belowHundred }),
  fromText: decimal,
};

export function oneOf<const T extends readonly [string, ...string[]]>(values: T): Kind<T[number]> {
  return {
    schema: z.enum(values, { error: `one of ${values.join(', ')}` }) as unknown as z.ZodType<T[number]>,
    fromText: asIs,
  };
}

/** `HH:MM`, as minutes after midnight, or `auto`. */
export const dayRenewal: Kind<number | 'auto'> = {
  schema: z
    .string({ error: 'a time of day such as 00:00, or auto' })
    .regex(/^(auto|([01]\d|2[0-3]):[0-5]\d)$/, { error: 'a time of day from 00:00 to 23:59, or auto' })
    .transform((text) => (text === 'auto' ? text : Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))),
  fromText: asIs,
};

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const timeZone: Kind<string> = {
  schema: z.string({ error: 'an IANA time zone such as Europe/Madrid' }).superRefine((text, context) => {
    if (isTimeZone(text)) return;
    const fix = didYouMean(text, Intl.supportedValuesOf('timeZone'));
    context.addIssue({
      code: 'custom',
      message: 'an IANA time zone such as Europe/Madrid',
      params: fix === undefined ? {} : { fix },
    });
  }),
  fromText: asIs,
};

/** A path as written; resolved by load-config.ts against the folder of what names it. */
export const path: Kind<string> = {
  schema: storableText('a path'),
  fromText: asIs,
};

function matching(expected: string, pattern: RegExp): Kind<string> {
  return { schema: z.string({ error: expected }).regex(pattern, { error: expected }), fromText: asIs };
}

export const fieldName = matching(
  'the name of a field, of letters, digits, _ and - (at most 60)',
  /^[\p{L}_][\p{L}\p{N}_-]{0,59}$/u,
);

const hostWanted = 'an IP address or a host name such as 127.0.0.1';

export const hostName: Kind<string> = {
  schema: z.string({ error: hostWanted }).superRefine((text, context) => {
    if (isIP(text) !== 0 || /^(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return;
    context.addIssue({ code: 'custom', message: hostWanted });
  }),
  fromText: asIs,
};

export const apiKey = parsedBy('an API key', parseApiKey);
