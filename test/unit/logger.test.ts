import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError, RetryableError } from '../../src/core/errors.ts';
import { createLogger, createScrubber, type Logger } from '../../src/core/logger.ts';

const key = 'sk-live/42+Ünïcode"\\42';
const password = 'p@ss w:rd/1';

/** Returns what a logger writes in one format. */
function written(format: 'pretty' | 'json', use: (log: Logger) => void, secrets = [key, password]): string {
  const lines: string[] = [];
  use(createLogger({ level: 'info', format, secrets, write: (line) => lines.push(line) }));
  return lines.join('');
}

function logged(use: (log: Logger) => void): Record<string, unknown> {
  return JSON.parse(written('json', use)) as Record<string, unknown>;
}

describe('scrubbing known secrets', () => {
  const scrub = createScrubber([key, password]);

  test.each([
    ['plain', key],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
    ['as a form', new URLSearchParams({ q: password }).toString().slice(2)],
    ['as JSON', JSON.stringify(key).slice(1, -1)],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    [
      'as JSON with \\u escapes',
      key.replace(/[^a-z]/gi, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['in another letter case', key.toUpperCase()],
    ['in base64', Buffer.from(key).toString('base64')],
  ])('%s', (_form, text) => {
    expect(scrub(`before ${text} after`)).toMatch(/^before \[secret\](=*) after$/);
  });

  test('of a few letters only as whole words', () => {
    const short = createScrubber(['abc', 'warn']);
    expect(short('abc warning warn')).toBe('abc warning [secret]');
  });

  test('replaces the longer of two that overlap', () => {
    expect(createScrubber(['secret-12', 'secret-12345678'])('x secret-12345678 y')).toBe('x [secret] y');
  });
});

describe('scrubbing what looks like a secret', () => {
  const scrub = createScrubber([]);

  test.each([
    ...['Authorization: Bearer hunter2', 'authorization: Basic aHVudGVyMg', 'X-API-KEY: hunter2'],
    ...["headers: { 'x-api-key': 'hunter2' }", 'api_key=hunter2&x=1', 'ApiKey = "hun hunter2 ter"'],
    ...['{\\"client_secret\\":\\"hunter2\\"}', 'PGPASSWORD=hunter2 psql', 'accessToken: hunter2'],
    ...['set-cookie: sid=hunter2; Path=/', 'https://h/x?key=hunter2&limite=200'],
    ...['next=https%3A%2F%2Fh%2F%3Fkey%3Dhunter2%26a%3D1', 'postgres://airank:hunter2@db/w'],
    ...['redis://:hunter2@cache:6379', 'https://hunter2@api.example.com/x'],
    'sent bearer hunter2 to the server',
  ])('%s', (text) => {
    const clean = scrub(text);
    expect(clean).toContain('[secret]');
    expect(clean).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test.each([
    '{"event":"slice","tokens":12,"token":3,"tokensLeft":48,"password":null,"secret":false}',
    '{"event":"x","api_key_env":"ACME_KEY","keys":["id"],"key":"slug","record_key":"a-1"}',
    'password authentication failed for user "airank"',
    'bearer authentication is used',
    'sent to api.example.com as bearer\n  \u001b[32m✓\u001b[39m 4 jobs that come along',
    'secretary, tokenizer=fast, passwordless: yes',
    'https://api.example.com:8443/api/v1/agent/runs?limite=200&cursor=abc',
    'postgres://airank@db:5432/warehouse',
  ])('leaves alone: %s', (text) => {
    expect(scrub(text)).toBe(text);
  });

  test('removes everything below a secret name, at any depth and in any spelling', () => {
    const line = JSON.stringify({
      a: { b: [{ 'Proxy-Authorization': { scheme: 'Bearer', parts: ['hunter2', 12345678] } }] },
      ...{ rawHeaders: ['Accept', 'x', 'X-Api-Key', 'hunter2'], dbPASSWORD: 'hunter2' },
      har: [{ name: 'Cookie', value: 'hunter2' }],
    });
    expect(JSON.parse(scrub(line))).toEqual({
      a: { b: [{ 'Proxy-Authorization': { scheme: '[secret]', parts: ['[secret]', '[secret]'] } }] },
      ...{ rawHeaders: ['Accept', 'x', 'X-Api-Key', '[secret]'], dbPASSWORD: '[secret]' },
      har: [{ name: 'Cookie', value: '[secret]' }],
    });
  });

  test.each(['\\', '"', "'token", 'a_', 'https://', 'a:', '%25', 'bearer ', 'password="', '\\"', ' '])(
    'takes no more than a moment for a long text of %s',
    (part) => {
      // Quadratic matching would run into the test's time limit here.
      expect(scrub(`${part.repeat(200_000 / part.length)}!`).length).toBeGreaterThan(0);
    },
  );
});

const secret = fc.string({ minLength: 8, maxLength: 24, unit: 'binary' });
const name = fc.oneof(
  fc.constantFrom('authorization', 'X-API-Key', 'token', 'tokens', 'msg', 'value', 'name', '__proto__'),
  fc.string(),
);

test('a scrubbed JSON line is JSON again, with its newline, and holds no secret', () => {
  fc.assert(
    fc.property(
      secret,
      fc.dictionary(name, fc.jsonValue()),
      fc.string(),
      fc.nat(4),
      fc.boolean(),
      (hidden, fields, around, form, newline) => {
        const quoted = [encodeURIComponent(hidden), JSON.stringify(hidden)];
        const forms = [hidden, ...quoted, `k=${hidden}`, `?key=${hidden}`];
        const text = `${around}${forms[form] ?? ''}${around}`;
        const line = `${JSON.stringify({ ...fields, msg: text, [text]: [{ deep: { text } }] })}${newline ? '\n' : ''}`;
        const clean = createScrubber([hidden])(line);
        expect(clean.endsWith('\n')).toBe(newline);
        const leaves: string[] = [];
        JSON.parse(clean, (field, value: unknown) => {
          leaves.push(field);
          if (typeof value === 'string') leaves.push(value);
          return value;
        });
        expect(leaves.filter((leaf) => leaf.includes(hidden))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

describe('logger', () => {
  test.each(['json', 'pretty'] as const)('lets no secret through in any field (%s)', (format) => {
    const text = written(format, (log) => {
      const url = `postgres://u:${encodeURIComponent(password)}@h/w`;
      const cause = new Error(`cause ${key}`, { cause: { url } });
      const outer = new RetryableError(`outer ${key}`, { stream: 'airank' }, { cause });
      const error = Object.assign(outer, { body: key });
      log.error({ event: 'failed', err: error, headers: { AUTHORIZATION: `Bearer ${key}` } }, `msg ${key}`);
      log.child({ bound: key, [key]: 1 }).info(`%s and ${password}`, key);
      log.error(new AggregateError([new Error(key), new Error(password)], 'both'));
    });
    expect(text).not.toMatch(/live|p@ss|p%40ss|w:rd/i);
    expect(text).toContain('[secret]');
    expect(text).toContain('airank');
  });

  test('keeps an error with its fields, its stack and its chain of causes', () => {
    const root = Object.assign(new Error('root'), { code: 'ECONNRESET', client: new (class Client {})() });
    const cause = new Error('middle', { cause: root });
    const error = new RetryableError('outer', { attempt: 2 }, { cause });
    expect(logged((log) => log.error({ event: 'failed', err: error }, 'text'))).toMatchObject({
      level: 50,
      event: 'failed',
      msg: 'text',
      err: {
        type: 'RetryableError',
        message: 'outer',
        place: { attempt: 2 },
        stack: expect.stringContaining('logger.test.ts'),
        cause: { message: 'middle', cause: { type: 'Error', message: 'root', code: 'ECONNRESET' } },
      },
    });
    expect(JSON.stringify(logged((log) => log.error(root)))).not.toContain('client');
  });

  test('keeps a cause that is no error, cuts a chain that bites its tail, and unfolds an aggregate', () => {
    const errOf = (err: Error) => logged((log) => log.error({ err }))['err'];
    const loop = new Error('loop');
    loop.cause = new Error('inner', { cause: loop });
    expect(errOf(new Error('x', { cause: 'text' }))).toMatchObject({ cause: 'text' });
    expect(errOf(loop)).toMatchObject({
      cause: { message: 'inner', cause: { type: 'Error', message: 'loop' } },
    });
    expect(errOf(new AggregateError([new Error('one')], 'all'))).toMatchObject({
      errors: [{ message: 'one' }],
    });
  });

  test("shows no stack for the user's own mistake", () => {
    const { err } = logged((log) => log.error({ err: new ConfigError(['one', 'two']) }));
    expect(err).toEqual({ type: 'ConfigError', message: 'one\ntwo', faults: ['one', 'two'] });
  });

  test('writes text where it is read by people: the event and its fields, and of errors the stack', () => {
    const text = written('pretty', (log) => {
      log.info({
        event: 'done',
        account: 'one shop',
        slices: { complete: 3 },
        streams: ['a', 'b'],
        none: null,
      });
      log.error({ event: 'run.failed', err: new Error('outer', { cause: new Error('inner') }) });
    });
    expect(text).toContain('INFO: done account="one shop" slices.complete=3 streams=a,b none=null\n');
    expect(text).toMatch(
      /ERROR: run\.failed .*err\.message=outer err\.cause\.type=Error err\.cause\.message=inner\n +Error: outer\n/,
    );
    expect(text).not.toMatch(/[{}]/);
  });
});
