// The LogFormat of Apache.
import type { Meaning } from './log-values.ts';
import type { PatternParts, PatternValue } from './pattern-parts.ts';

/** Statuses and < or > may stand before it, a name in braces too. */
const directive = /%[<>!,\d]*(?:\{([^}]*)\})?(\^\w\w|[A-Za-z%])/;

/** Directives that mean something here; the others are passed over. */
const directives: Readonly<Record<string, Meaning>> = {
  v: 'host',
  V: 'host',
  a: 'ip',
  h: 'ip',
  t: 'time',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  H: 'protocol',
  s: 'status',
  b: 'bytes',
  B: 'bytes',
  O: 'bytes',
  D: 'us',
  T: 'seconds',
};

/** Headers of the request, `%{Referer}i`. */
const headers: ReadonlyMap<string, Meaning> = new Map([
  ['host', 'host'],
  ['referer', 'referrer'],
  ['user-agent', 'agent'],
]);

/** `%{ms}T`. */
const units: ReadonlyMap<string, Meaning> = new Map([
  ['s', 'seconds'],
  ['ms', 'ms'],
  ['us', 'us'],
]);

/** What a value may look like that has blanks, or that the next follows at once, as in `%U%q`. */
const shapes: Readonly<Record<string, string>> = {
  t: '\\[[^\\]]*\\]',
  s: '\\d{3}',
  U: '[^?"]*?',
  q: '(?:\\?[^"]*?)?',
  H: '(?:HTTP\\/[\\d.]+|-)',
};

export const apacheExample = '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"';

export function isApachePattern(pattern: string): boolean {
  return directive.test(pattern) && !/\$\{?\w/.test(pattern);
}

/** As it stands in a configuration too, with `\"` for quotes. */
export function apacheParts(pattern: string): PatternParts {
  const plain = pattern.replaceAll('\\t', '\t').replaceAll(/\\(["\\])/g, '$1');
  const [first = '', ...rest] = plain.split(directive);
  let before = first;
  const values: PatternValue[] = [];
  for (let index = 0; index < rest.length; index += 3) {
    const [name, letter = '', after = ''] = rest.slice(index, index + 3);
    const last = values.pop();
    if (letter !== '%') values.push(...(last === undefined ? [] : [last]), partOf(letter, name, after));
    else if (last === undefined) before += `%${after}`;
    else values.push({ ...last, after: `${last.after}%${after}` });
  }
  return { before, values };
}

function partOf(letter: string, name: string | undefined, after: string): PatternValue {
  // A time in a form of its own has no brackets around it.
  const shape = letter === 't' && name !== undefined ? undefined : shapes[letter];
  return { meaning: meaningOf(letter, name), shape, after };
}

function meaningOf(letter: string, name: string | undefined): Meaning | undefined {
  if (letter === 'i') return headers.get((name ?? '').toLowerCase());
  if (letter === 'T' && name !== undefined) return units.get(name);
  return directives[letter];
}
