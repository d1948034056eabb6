import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAnswer, classifyFailure, nestsDeeper } from '../../src/api/classify.ts';
import { BodyTooLargeError, ExchangeTimeoutError, UnknownEncodingError } from '../../src/api/exchange.ts';

type Over = Partial<Parameters<typeof classifyAnswer>[1]> & { headers?: Record<string, string | string[]> };

function classify(status: number, text: string, { headers = {}, ...over }: Over = {}) {
  const answer = { status, headers, text, bytes: text.length, replacedBytes: 0 };
  const scrub = (quoted: string) => quoted.replaceAll('key', '***');
  return classifyAnswer(answer, { accept: 'json', maxNesting: 200, keyFrom: undefined, scrub, ...over });
}

const settings = { maxBodyBytes: 1_000, bodyTimeoutMs: 60_000 };
const failed = (error: unknown, status?: number) => classifyFailure(error, status, settings);
const coded = (code: string, more: object = {}) =>
  Object.assign(new Error('text says nothing'), { code, ...more });

describe('an answer', () => {
  it.each([200, 201, 206, 299])('of %i with JSON is data', (status) => {
    expect(classify(status, '{"a":1}')).toMatchObject({ kind: 'ok', json: { a: 1 }, answer: { status } });
  });

  it.each([300, 301, 307, 399])('of %i is a redirect that is not followed', (status) => {
    expect(classify(status, '')).toEqual({
      kind: 'redirect',
      status,
      problem: `answered with a redirect (${status}), which is not followed, so that the key is sent nowhere else`,
      fix: 'Set AIRANK_BASE_URL to the address at which the service itself answers.',
    });
  });

  it.each([
    [401, /^Check the key in AIRANK_API_KEY \(or AIRANK_API_KEY_FILE\)\.$/],
    [403, /no right to this route/],
    [404, /does not have this route, or AIRANK_BASE_URL/],
  ])('of %i is a route that the account does not have', (status, fix) => {
    expect(classify(status, '{"error":"x"}')).toEqual({
      kind: 'unavailable',
      status,
      problem: `answered ${status}, got "{\\"error\\":\\"x\\"}"`,
      fix: expect.stringMatching(fix),
    });
  });

  it('of 401 names the variable of the key', () => {
    expect(classify(401, '', { keyFrom: 'OLD_KEY' })).toMatchObject({ fix: 'Check the key in OLD_KEY.' });
  });

  it('of JSON is quoted by its sentence for people', () => {
    const body = '{"error":"no_autorizado","mensaje":"La clave no es válida."}';
    expect(classify(401, body)).toMatchObject({ problem: 'answered 401, got "La clave no es válida."' });
  });

  it.each([500, 503, 599, 408, 425])('of %i is worth another try', (status) => {
    expect(classify(status, 'busy')).toEqual({
      kind: 'retry',
      status,
      problem: `answered ${status}, got "busy"`,
      fix: 'Try again later; the service itself has a problem.',
    });
  });

  it.each([199, 400, 402, 405, 407, 409, 410, 422, 424, 426, 428, 430, 499])(
    'of %i fails the slice',
    (status) => {
      expect(classify(status, 'no')).toEqual({
        kind: 'skip',
        status,
        problem: `answered ${status}, got "no"`,
        fix: 'Check the route and the query parameters; those of a stream are in the configuration.',
      });
    },
  );

  it.each([
    ['', 'an empty body'],
    [' \n ', 'an empty body'],
    ['a\n\n  b', '"a b"'],
    ['the key', '"the ***"'],
    ['x'.repeat(120), `"${'x'.repeat(120)}"`],
    ['x'.repeat(121), `"${'x'.repeat(120)}…"`],
  ])('is quoted short, on one line and without secrets (%j)', (text, quoted) => {
    expect(classify(500, text)).toMatchObject({ problem: `answered 500, got ${quoted}` });
  });

  it.each(['', '<html>', '{"a":', 'nonsense'])('of 200 with %j is no JSON', (text) => {
    expect(classify(200, text)).toMatchObject({
      kind: 'retry',
      status: 200,
      problem: expect.stringMatching(/^answered 200, expected JSON, got /),
      fix: 'Try again later; if it goes on, check AIRANK_BASE_URL.',
    });
  });
});

describe('an answer where CSV is asked for', () => {
  const csv = (text: string) => classify(200, text, { accept: 'csv' });

  it.each(['{"a":1}', ' {"error":"x"}', '[]'])('hands over %j as what it is: the walk judges it', (text) => {
    expect(csv(text)).toMatchObject({ kind: 'ok', json: JSON.parse(text), answer: { text } });
  });

  it.each(['fecha,valor\n1,2\n', '{broken', 'x', '[a],b'])('takes %j as it is', (text) => {
    expect(csv(text)).toMatchObject({ kind: 'ok', json: undefined, answer: { text } });
  });

  it.each(['', '\n ', '<html>', '  <p>'])('takes %j for none', (text) => {
    const problem = expect.stringMatching(/^answered 200, expected CSV, got /);
    expect(csv(text)).toMatchObject({ kind: 'retry', status: 200, problem });
  });
});

describe('a 429', () => {
  it('is a quota where its body says so, and a refusal where it says anything else', () => {
    expect(classify(429, '{"error":"quota","retryAfter":9}')).toEqual({ kind: 'quota', status: 429 });
    for (const text of ['{"error":"rate_limited"}', '{"error":["quota"]}', 'quota', '"quota"', 'null', '']) {
      expect(classify(429, text)).toEqual({ kind: 'refused', status: 429, retryAfterMs: undefined });
    }
  });

  it('hands on the wait of its body, or of the first of its headers', () => {
    const headers = { 'retry-after': ['5', '6'] };
    expect(classify(429, '{"retryAfter":4}', { headers })).toMatchObject({ retryAfterMs: 4_000 });
    expect(classify(429, '{}', { headers })).toMatchObject({ retryAfterMs: 5_000 });
  });
});

describe('nesting', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('of as many levels as the setting allows is data', () => {
    expect(classify(200, nested(200))).toMatchObject({ kind: 'ok' });
    expect(classify(200, `{"acciones":[{"a":${nested(197)}}]}`)).toMatchObject({ kind: 'ok' });
  });

  it.each([
    ['a list', nested(201)],
    ['a record', `{"acciones":[{"id":1},{"a":${nested(198)}}]}`],
    ['an envelope', `{"acciones":[],"config":${nested(5_000)}}`],
    ['an error', `{"error":${nested(200)}}`],
    ['a million levels', nested(1_000_000)],
  ])('of one level more fails the slice and names the setting: %s', (_what, text) => {
    expect(classify(200, text)).toEqual({
      kind: 'skip',
      status: 200,
      problem: 'answered 200, expected lists and objects nested at most 200 deep, got deeper nesting',
      fix: 'Leave the stream out (streams.<name>.enabled: false) if the route really nests that deep.',
    });
  });

  it('goes by the setting, not by the length of the body', () => {
    expect(classify(200, nested(11), { maxNesting: 10 })).toMatchObject({ kind: 'skip' });
    expect(classify(200, nested(10), { maxNesting: 10 })).toMatchObject({ kind: 'ok' });
    expect(classify(200, `["${'[{'.repeat(500)}"]`, { maxNesting: 10 })).toMatchObject({ kind: 'ok' });
  });
});

describe('an exchange without a whole answer', () => {
  it('fails the slice where the body is too large or its coding unknown', () => {
    const large = new BodyTooLargeError('x');
    expect(failed(large, 200)).toEqual({
      kind: 'skip',
      status: 200,
      problem: 'sent a body larger than 1000 bytes, the rest was not read',
      fix: 'Leave the stream out (streams.<name>.enabled: false) if the route really is that large.',
      cause: large,
    });
    const unknown = new UnknownEncodingError('content encoding "zstd"');
    expect(failed(unknown, 200)).toEqual({
      kind: 'skip',
      status: 200,
      problem: 'used the content encoding "zstd", expected gzip, deflate, br or none',
      fix: 'Check the proxy between this machine and AIRANK_BASE_URL.',
      cause: unknown,
    });
  });

  it('is tried again after a time-out, and counts: the server may have received it', () => {
    const slow = new ExchangeTimeoutError('x');
    expect(failed(slow)).toEqual({
      kind: 'retry',
      status: undefined,
      problem: 'did not answer completely within 60000 ms',
      fix: 'Try again later.',
      cause: slow,
    });
  });

  it('fails the slice where the request cannot be sent', () => {
    const fix = expect.stringContaining('AIRANK_API_KEY');
    expect(failed(coded('UND_ERR_INVALID_ARG'))).toMatchObject({
      kind: 'skip',
      problem: 'could not be sent',
      fix,
    });
  });

  it.each([
    ['ECONNREFUSED', /Nothing listens there: check host and port/],
    ['ENOTFOUND', /Check the host name/],
    ['EAI_AGAIN', /Check the host name/],
    ['UND_ERR_CONNECT_TIMEOUT', /Check the network between this machine and AIRANK_BASE_URL/],
  ])('never reached the server after %s', (code, fix) => {
    const error = coded(code);
    expect(failed(error)).toEqual({
      kind: 'retry',
      status: undefined,
      problem: `lost the connection (${code})`,
      fix: expect.stringMatching(fix),
      cause: error,
      unsent: true,
    });
  });

  it('never reached the server where the call that failed is the connecting itself', () => {
    const connecting = { syscall: 'connect' };
    expect(failed(coded('ETIMEDOUT', connecting))).toMatchObject({ kind: 'retry', unsent: true });
    expect(failed(coded('EHOSTUNREACH', connecting))).toMatchObject({ unsent: true });
    // Both addresses of a name, as Node tries them side by side.
    const both = new AggregateError([coded('ECONNREFUSED', connecting), coded('ENETUNREACH', connecting)]);
    expect(failed(both)).toMatchObject({ problem: 'lost the connection (ECONNREFUSED)', unsent: true });
    const caused = failed(new Error('x', { cause: coded('EHOSTUNREACH', connecting) }));
    expect(caused).toMatchObject({ problem: 'lost the connection (EHOSTUNREACH)', unsent: true });
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'HOSTNAME_MISMATCH', 'INVALID_CA'],
  ])('never reached the server after %s: the handshake ended before anything was said', (code) => {
    const fix = expect.stringMatching(/TLS connection cannot be trusted/);
    expect(failed(coded(code))).toMatchObject({ kind: 'retry', unsent: true, fix });
  });

  it.each([
    ['ECONNRESET', { syscall: 'read' }, /Check the network between/],
    ['ETIMEDOUT', { syscall: 'read' }, /Check the network between/],
    ['EPIPE', {}, /Check the network between/],
    ['UND_ERR_SOCKET', {}, /Check the network between/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', {}, /TLS connection cannot be trusted/],
    ['HOSTNAME_MISMATCHED', {}, /Check the network between/],
    ['INVALID_CA_FILE', {}, /Check the network between/],
    ['MY_CERT_', {}, /TLS connection cannot be trusted/],
  ])('counts after %s: there was a connection', (code, more, fix) => {
    const verdict = failed(coded(code, more));
    expect(verdict).toMatchObject({ kind: 'retry', problem: `lost the connection (${code})` });
    expect(verdict).toMatchObject({ fix: expect.stringMatching(fix) });
    expect(verdict).not.toHaveProperty('unsent');
  });

  it('counts once the head of an answer is in, whatever the code', () => {
    expect(failed(coded('ECONNREFUSED'), 200)).not.toHaveProperty('unsent');
  });

  it.each([undefined, null, 'text', new Error('ECONNREFUSED'), { code: 7 }])(
    'goes by no text: %j has no code',
    (error) => {
      expect(failed(error)).toMatchObject({
        kind: 'retry',
        problem: 'lost the connection (unknown network error)',
        fix: 'Check the network between this machine and AIRANK_BASE_URL.',
      });
      expect(failed(error)).not.toHaveProperty('unsent');
    },
  );

  it('looks for the innermost code only so deep', () => {
    let error: Error = coded('EPIPE');
    for (let level = 0; level < 4; level += 1) error = new Error('x', { cause: error });
    expect(failed(error)).toMatchObject({ problem: 'lost the connection (EPIPE)' });
    const deeper = failed(new Error('x', { cause: error }));
    expect(deeper).toMatchObject({ problem: 'lost the connection (unknown network error)' });
    const inner = failed(coded('OUTER', { cause: coded('INNER') }));
    expect(inner).toMatchObject({ problem: 'lost the connection (INNER)' });
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it('knows whether any value nests deeper than so many levels', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 8 }), (value, most) => {
      expect(nestsDeeper(value, most)).toBe(depthOf(value) > most);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '{"__proto__":[', ']}'],
])('stops at the level that is too many, also in %s a million deep', (_what, open, close) => {
  const levels = open.length > 6 ? 2 : 1;
  const nested = (count: number) => JSON.parse(`${open.repeat(count)}1${close.repeat(count)}`) as unknown;
  expect(nestsDeeper(nested(100), 100 * levels)).toBe(false);
  expect(nestsDeeper(nested(100), 100 * levels - 1)).toBe(true);
  expect(nestsDeeper(nested(1_000_000), 1_000)).toBe(true);
});
