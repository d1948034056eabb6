// Bodies of answers: judged without a throw, lists found whole, literals and cursors to the last digit.
import fc from 'fast-check';
import { classifyAnswer } from '../../../src/api/classify.ts';
import type { Answer } from '../../../src/api/client.ts';
import { literalAt, paginate } from '../../../src/api/paginate.ts';
import { SkippableError } from '../../../src/core/errors.ts';
import { toJsonbText } from '../../../src/store/pages/pages.ts';
import { findList, listIn } from '../../../src/validation/bodies.ts';
import { expectSame, fuzzOf } from './fuzz.ts';

const keys = [
  ...[
    'error',
    'Error',
    'errors',
    'mensaje',
    'success',
    'ok',
    'paginacion',
    'siguiente',
    'productos',
    'datos',
    'estado',
  ],
  ...['__proto__', 'constructor', 'toString', '', 'id', 'retryAfter'],
];
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 4 })), tie('value'), {
      maxKeys: 5,
    }),
  ),
}));
const brokenText = fc.oneof(
  anyJson.map((value) => JSON.stringify(value)),
  fc.tuple(anyJson, fc.nat({ max: 60 })).map(([value, cut]) => JSON.stringify(value).slice(0, cut)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat({ max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
);

export const fuzzClassify = fuzzOf(
  'bodies, judged',
  fc.record({
    text: brokenText,
    status: fc.oneof(
      fc.constantFrom(200, 204, 301, 401, 403, 404, 429, 500),
      fc.integer({ min: 200, max: 599 }),
    ),
    accept: fc.constantFrom('json' as const, 'csv' as const),
    retryAfter: fc.option(fc.string({ maxLength: 8 }), { nil: undefined }),
  }),
  ({ text, status, accept, retryAfter }) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const answer = { status, headers, text, bytes: text.length, replacedBytes: 0 };
    const verdict = classifyAnswer(answer, { accept, scrub: (clean) => clean, maxNesting: 200 });
    const waitMs = verdict.kind === 'refused' ? (verdict.retryAfterMs ?? 0) : 0;
    if (!(waitMs >= 0 && Number.isFinite(waitMs))) throw new Error(`a wait of ${waitMs} ms`);
    // Deep bodies are too much for the comparison itself, so only short texts are compared.
    const isFlat = text.length < 2_000;
    if (isFlat && verdict.kind === 'ok' && accept === 'json')
      expectSame(verdict.json, JSON.parse(text), 'the body');
  },
);

export const fuzzLists = fuzzOf(
  'bodies, lists found',
  fc.record({
    body: anyJson,
    route: fc.constantFrom('mediciones', 'airank/history', 'productos', '__proto__', 'datos'),
  }),
  ({ body, route }) => {
    const found = findList({ route }, body);
    if (found.kind !== 'key') return;
    const judged = listIn(found.key, body);
    const list: unknown = (body as Record<string, unknown>)[found.key];
    if (!('got' in judged) && Array.isArray(list)) expectSame(judged.length, list.length, 'records');
  },
);

const spaced = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

export const fuzzLiterals = fuzzOf(
  'bodies, literals',
  fc.record({
    body: fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), anyJson, { minKeys: 1, maxKeys: 5 }),
    space: spaced,
    pick: fc.nat(),
  }),
  ({ body, space, pick }) => {
    const names = Object.keys(body);
    const name = names[pick % names.length] ?? '';
    const text = JSON.stringify(body, undefined, space === '' ? undefined : 2);
    const literal = literalAt(`${space}${text}`, [name]);
    const parsed = (JSON.parse(text) as Record<string, unknown>)[name];
    expectSame(literal === undefined ? 'nothing' : JSON.parse(literal), parsed, `the literal of ${name}`);
  },
);

const nextValues = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  anyJson,
);

export const fuzzCursors = fuzzOf('bodies, next cursors', nextValues, async (next) => {
  const literal = typeof next === 'bigint' ? String(next) : JSON.stringify(next);
  const text = `{"datos":[],"paginacion":{"siguiente":${literal}}}`;
  const answer: Answer = {
    status: 200,
    text,
    json: JSON.parse(text),
    replacedBytes: 0,
    bytes: text.length,
    attempts: 1,
  };
  const request = {
    stream: 'datos',
    route: 'datos',
    query: {},
    withKey: true,
    accept: 'json',
    purpose: 'job',
    priority: 5,
  } as const;
  const pages = paginate({ get: async () => answer }, request, { signal: new AbortController().signal });
  const first = await pages.next().catch((error: unknown) => {
    if (error instanceof SkippableError) return undefined;
    throw error;
  });
  if (first === undefined || first.done) return;
  const got = first.value.nextCursor;
  if (typeof next === 'bigint') expectSame(got, literal, 'the cursor');
  if (typeof next === 'string' && next !== '') expectSame(got, next, 'the cursor');
});

export const fuzzJsonb = fuzzOf('bodies, made fit for jsonb', anyJson, (value) => {
  const text = JSON.stringify(value);
  const clean = toJsonbText(text);
  const parsed: unknown = JSON.parse(clean.text);
  if (clean.replaced === 0) expectSame(clean.text, text, 'the text');
  expectSame(shapeOf(parsed), shapeOf(value), 'the shape');
});

/** How many values there are, and no more: of replaced keys two may become one. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  return typeof value === 'object' && value !== null ? 'object' : 'scalar';
}
