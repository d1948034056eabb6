// Questions against a real server: each is sent once, and never past a limit; then airank push questions as people and
// scripts see it. Deaths at any step: writes-kills.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { countUnsent, dropUnsent, exitCodeOf } from '../../src/writes/push-questions.ts';
import { questionHash } from '../../src/writes/read-questions.ts';
import { holdingWrites, type Policy } from '../../src/writes/send.ts';
import { countKnown } from '../../src/writes/store/question-writes.ts';
import { holdWrites, writesHolder } from '../../src/writes/store/write-states.ts';
import { airank } from '../support/fake-terminal.ts';
import { push as pushTo, questionsOf } from '../support/push-in-process.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { startWriteServer, type ToldAnswer, type WriteServer } from '../support/write-server.ts';
import { withoutWriteLimits } from '../writes/slow-book.ts';

const database = useDatabase();
const folder = oneFolder();
let server: WriteServer;
let sandbox: Sandbox;

const push = (account: string, texts: readonly string[] = [], options: Parameters<typeof pushTo>[2] = {}) =>
  pushTo({ pool: database.pool, url: server.url, account }, texts, options);
const writesOf = (account: string) =>
  database.rows('select * from sync.write where account = $1 order by id', account);
/** Reads the texts of questions that are not settled. */
const textsOf = (account: string) =>
  database.lines(
    'select text from sync.question where account = $1 and text is not null order by planned_at',
    account,
  );

beforeAll(async () => {
  server = await startWriteServer();
  sandbox = await startSandbox({ apiKeys: ['borders', 'rest'], perMinute: 1_000_000, perDay: 1_000_000 });
});
beforeEach(() => server.reset());
afterAll(async () => {
  await server?.close();
  await sandbox?.close();
});

describe('against the borders of the service', () => {
  const toSandbox = (account: string, texts: readonly string[] = []) =>
    pushTo({ pool: database.pool, url: sandbox.url, account }, texts);

  it('sends 8 and 300 characters, whatever they are made of', async () => {
    const texts = ['a'.repeat(8), 'b'.repeat(300), '😀'.repeat(8), '😀'.repeat(150), 'x\u0301'.repeat(8)];
    const pushed = await toSandbox('borders', texts);
    expect(pushed).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 5, open: [] });
  });

  it('sends 200 a day, 20 a request, and the 201st when the limit is over, without a file', async () => {
    const first = await toSandbox('rest', questionsOf(195));
    expect(first).toMatchObject({ acceptedQuestions: 195, acceptedRequests: 10, waiting: 0 });
    const second = await toSandbox('rest', questionsOf(8, 'otra'));
    expect(second).toMatchObject({ end: { kind: 'deferred' }, acceptedQuestions: 5, waiting: 3, open: [] });
    expect(second.end.kind === 'deferred' && second.end.until.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(exitCodeOf(second)).toBe(3);
    const waits = questionsOf(8, 'otra').slice(5);
    expect(await textsOf('rest')).toEqual(waits);
    // The service itself would not have taken it.
    await database.rows(`delete from sync.budget_write where account = 'rest'`);
    const refused = await toSandbox('rest');
    expect(refused).toMatchObject({ end: { kind: 'deferred' }, acceptedQuestions: 0, waiting: 3 });
    const writes = await writesOf('rest');
    expect(writes.map(({ takes }) => takes)).toEqual([...Array(9).fill(20), 15, 5, 3]);
    expect(writes.at(-1)).toMatchObject({ status: 'refused', http_status: 429, amount: 3 });
    await database.rows(`delete from sync.budget_write_closed where account = 'rest'`);
    expect(await push('rest')).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 3, waiting: 0 });
    expect(server.taken.flat()).toEqual(waits);
    expect(await textsOf('rest')).toEqual([]);
  });
});

describe('what was given', () => {
  const known = async (account: string, texts: readonly string[]) => {
    const questions = texts.map((text) => ({ text, hash: questionHash(text) }));
    return await countKnown(database.db, account, questions);
  };

  it('is not sent again within 90 days, in which only its hash is stored', async () => {
    const texts = questionsOf(2);
    const rows = () => database.rows(`select text, hash from sync.question where account = 'again'`);
    const age = () =>
      database.rows(
        `update sync.question set sent_at = sent_at - interval '91 days' where account = 'again'`,
      );
    await push('again', texts);
    expect(await rows()).toEqual(texts.map((text) => ({ text: null, hash: questionHash(text) })));
    expect(await known('again', texts)).toEqual({ taken: 0, sent: 2, waits: 0, unsettled: 0 });
    expect(await push('again', texts)).toMatchObject({ requests: 0, end: { kind: 'done' } });
    await age();
    expect(await known('again', texts)).toMatchObject({ taken: 2, sent: 0 });
    expect(await push('again', texts)).toMatchObject({ acceptedQuestions: 2 });
    expect(server.taken).toEqual([texts, texts]);
    await age();
    await push('again', questionsOf(1, 'otra'));
    expect(await rows()).toHaveLength(1);
  });

  it('waits where the requests of the day end before the limit does', async () => {
    const env = { AIRANK_PER_DAY: '1' };
    const of = { pool: database.pool, url: server.url, account: 'day', env };
    const pushed = await pushTo(of, questionsOf(30));
    expect(pushed).toMatchObject({ acceptedQuestions: 20, waiting: 10, open: [] });
    expect(pushed.end).toMatchObject({ kind: 'deferred', why: 'no requests of the day remain' });
    expect(exitCodeOf(pushed)).toBe(3);
  });

  it('is dropped before it is sent where somebody says so, but stays known where it was sent before', async () => {
    await push('drop', questionsOf(1));
    const deaf = { pool: database.pool, url: 'http://127.0.0.1:9', account: 'drop' };
    await pushTo(deaf, questionsOf(3));
    expect(await countUnsent(database.db, 'drop')).toBe(2);
    expect(await dropUnsent(database.db, 'drop')).toBe(2);
    expect(await known('drop', questionsOf(3))).toMatchObject({ taken: 2, sent: 1 });
    expect(await countUnsent(database.db, 'drop')).toBe(0);
    expect((await writesOf('drop')).map(({ status }) => status)).toEqual(['accepted']);
  });
});

describe('a request that is refused', () => {
  it('stays, is named, and the next one goes on, until somebody leaves it for good', async () => {
    await push('content', questionsOf(1, 'primera'));
    server.answers.push({ status: 422 });
    const texts = questionsOf(21);
    const pushed = await push('content', texts);
    const open = [{ httpStatus: 422, texts: texts.slice(0, 20) }];
    expect(pushed).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 1, open });
    const again = await push('content');
    expect(again).toMatchObject({ requests: 0, open });
    expect(exitCodeOf(again)).toBe(1);
    const skipped = await push('content', [], { refused: 'skip' });
    expect(skipped).toMatchObject({ requests: 0, skippedRequests: 1, open: [], end: { kind: 'done' } });
    expect(await textsOf('content')).toEqual([]);
  });

  it.each([401, 302])('by %i ends the run, and goes by itself with the next one', async (status) => {
    server.answers.push({ status });
    const account = `access-${status}`;
    const pushed = await push(account, questionsOf(21));
    expect(pushed).toMatchObject({ end: { kind: 'failed' }, requests: 0, waiting: 21, open: [] });
    expect(server.bodies).toHaveLength(1);
    expect(exitCodeOf(pushed)).toBe(1);
    expect(await push(account)).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 21 });
    expect(await writesOf(account)).toMatchObject([{ status: 'accepted', attempts: 2 }, {}]);
  });

  it('by a quota closes the kind, and goes by itself when it is over', async () => {
    server.answers.push({ status: 429, body: { error: 'quota', retryAfter: 3_600 } });
    const pushed = await push('quota', questionsOf(21));
    expect(pushed).toMatchObject({ end: { kind: 'deferred' }, waiting: 21, open: [] });
    expect(exitCodeOf(pushed)).toBe(3);
    expect(await push('quota')).toMatchObject({ end: { kind: 'deferred' }, requests: 0 });
    await database.rows(`delete from sync.budget_write_closed where account = 'quota'`);
    expect(await push('quota')).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 21 });
  });
});

describe('a request of unknown outcome', () => {
  it('is reported and not sent again, the next one goes on, and two in a row end the run', async () => {
    server.answers.push({ status: 503 });
    const texts = questionsOf(21);
    const pushed = await push('unknown', texts);
    expect(pushed).toMatchObject({ acceptedQuestions: 1, open: [{ status: 'unknown', httpStatus: 503 }] });
    expect(exitCodeOf(pushed)).toBe(1);
    expect(await push('unknown', texts)).toMatchObject({ requests: 0, open: [{ status: 'unknown' }] });
    server.answers.push({ status: 500 }, { status: 500 });
    const more = await push('unknown', questionsOf(60, 'otra'));
    expect(more).toMatchObject({ end: { kind: 'unknown' }, requests: 2, waiting: 20, open: [{}, {}, {}] });
  });

  it('is left for good when somebody says so, and its questions count as sent', async () => {
    server.answers.push('drop');
    await push('skip', questionsOf(3));
    const skipped = await push('skip', questionsOf(4), { unknown: 'skip' });
    expect(skipped).toMatchObject({ skippedRequests: 1, acceptedQuestions: 1, open: [] });
    expect(await push('skip', questionsOf(4))).toMatchObject({ requests: 0, open: [] });
    const [first] = await writesOf('skip');
    expect(first).toMatchObject({ status: 'unknown' });
    expect(first?.skipped_at).not.toBeNull();
  });
});

describe('two processes', () => {
  it('send one after the other, and the one that waits says for whom', async () => {
    const held = await holdWrites(database.pool, 'two', 'questions');
    const holder = await writesHolder(database.db, 'two', 'questions');
    expect(holder?.pid).toBeGreaterThan(0);
    const told: unknown[] = [];
    const signal = new AbortController().signal;
    const clock = { now: () => Date.now(), sleep: async () => await held?.release() };
    const of = { pool: database.pool, account: 'two', kind: 'questions', clock, signal } as const;
    const worked = await holdingWrites({ ...of, onBusy: (one) => told.push(one) }, async () => 'worked');
    expect([worked, told]).toEqual(['worked', [holder]]);
  });

  it('do not wait for ever', async () => {
    const held = await holdWrites(database.pool, 'ever', 'questions');
    const signal = new AbortController().signal;
    // A pause takes no time, and every look at the clock is an hour later.
    let hours = 0;
    const clock = {
      now: () => {
        hours += 1;
        return hours * 3_600_000;
      },
      sleep: async () => undefined,
    };
    const of = { pool: database.pool, account: 'ever', kind: 'questions', clock, signal } as const;
    const waiting = holdingWrites({ ...of, onBusy: () => undefined }, async () => 'worked');
    await expect(waiting).rejects.toThrow(
      'Another process is still sending questions of account ever. Run this again',
    );
    await held?.release();
  });
});

describe('airank push questions', () => {
  beforeEach(() =>
    database.pool.query(
      'delete from sync.question; delete from sync.write; delete from sync.budget_write; delete from sync.budget_write_closed',
    ),
  );

  const run = (args: string, more: { env?: NodeJS.ProcessEnv; piped?: string } = {}) =>
    airank(['push', 'questions', ...args.split(' ').filter((arg) => arg !== '')], {
      cwd: folder,
      ...more,
      env: { DATABASE_URL: database.url, AIRANK_BASE_URL: server.url, AIRANK_API_KEY: 'a-key', ...more.env },
    });

  const file = async (name: string, lines: readonly string[]) =>
    await writeFile(join(folder, name), `${lines.join('\n')}\n`);

  /** Uses up part of the day's 200. */
  async function useQuestions(amount: number): Promise<void> {
    await database.pool.query(
      `insert into sync.budget_write (account, kind, write_id, attempt, amount, at)
       values ('default', 'questions', 0, 1, $1, now())`,
      [amount],
    );
  }

  it('shows the form of a file, what it leaves out by line, and what was accepted', async () => {
    const [one = '', two = '', three = ''] = questionsOf(3);
    const bad = ['corta', 'escríbeme a ana@correo.es, gracias', one.toUpperCase()];
    await file('a.csv', ['id;pregunta', ...[one, two, ...bad, three].map((text, id) => `${id};${text}`)]);
    const said = await run('a.csv');
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout.split('\n')).toEqual([
      'a.csv: CSV, column "pregunta", 6 questions',
      'Left out: 1 that came before in the files',
      'Not sent, because the service would refuse them: 1',
      '  a.csv, line 4: 5 characters, at least 8 are needed',
      'Held back, with personal data: 1 (--allow-personal-data sends them)',
      '  a.csv, line 5: an e-mail address',
      'Accepted: 3 questions in 1 request',
      '',
    ]);
    expect(server.taken).toEqual([[one, two, three]]);
    expect(said.stdout).not.toContain('ana@correo.es');
  });

  it('sends personal data where that is allowed, and a pipe', async () => {
    const piped = `escríbeme a ana@correo.es\n${questionsOf(1)[0]}\n`;
    const said = await run('- --allow-personal-data', { piped });
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(/^standard input: a question a line, 2 questions\nWith personal data, sent/);
    expect(server.taken.flat()).toHaveLength(2);
  });

  it('sends what fits into the day, and says with 3 when the rest goes', async () => {
    await useQuestions(170);
    await file('many.txt', questionsOf(35));
    const said = await run('many.txt');
    expect(said).toMatchObject({ exitCode: 3, stderr: '' });
    expect(said.stdout).toMatch(/\nAccepted: 30 questions in 2 requests\n/);
    expect(said.stdout).toMatch(
      /\nWaiting: 5 questions; the limit is used up\. From \d+ [A-Z][a-z]+ 00:00 \(UTC\) on: airank push questions\n$/,
    );
    await database.pool.query('delete from sync.budget_write');
    const rest = await run('--json');
    expect(rest).toMatchObject({ exitCode: 0, stderr: '' });
    const accepted = { questions: 5, requests: 1 };
    const done = { accepted, waiting: 0, end: 'done', waits_until: null, open: [] };
    expect(JSON.parse(rest.stdout)).toMatchObject({ account: 'default', files: [], ...done });
    expect(await run('')).toMatchObject({ exitCode: 0, stdout: 'No questions are waiting\n' });
  });

  it('changes nothing in a dry run, and says how long it takes', async () => {
    await useQuestions(170);
    await file('many.txt', [...questionsOf(595), 'corta']);
    const said = await run('many.txt --dry-run');
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout).toMatch(
      /\nWould send 595 questions: 30 today, the rest on the next 3 days\. Nothing was stored or sent\n$/,
    );
    expect((await database.pool.query('select from sync.question')).rowCount).toBe(0);
    expect(server.bodies).toEqual([]);
  });

  it('names what is unknown, and what to do with it', async () => {
    server.answers.push({ status: 503 });
    const said = await run('-', { piped: questionsOf(2).join('\n') });
    expect(said.exitCode).toBe(1);
    expect(said.stdout).toMatch(
      /\nRequest \d+, 2 questions, sent .* \(UTC\): outcome unknown, it may have arrived \(answered 503.*\n--unknown resend/,
    );
    expect(await run('--unknown skip')).toMatchObject({
      exitCode: 0,
      stdout: 'Skipped for good: 1 request\n',
    });
  });

  it('says which setting may be wrong when the first request is refused, and sends it again under another name', async () => {
    server.answers.push({ status: 400, body: { error: 'campo' } });
    const said = await run('-', { piped: questionsOf(2).join('\n') });
    expect(said.exitCode).toBe(1);
    expect(said.stdout).toMatch(
      /\nRequest \d+, 2 questions, .*: refused \(400\): \{"error":"campo"\}\n--refused resend/,
    );
    expect(said.stderr).toMatch(/another name than "preguntas": set AIRANK_QUESTIONS_FIELD/);
    const again = await run('--refused resend', { env: { AIRANK_QUESTIONS_FIELD: 'questions' } });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.bodies.at(-1)).toEqual({ questions: questionsOf(2) });
  });

  it('forgets what waits when somebody says so', async () => {
    // Some questions wait in a refused request, the others beside it.
    server.answers.push({ status: 401 });
    await file('many.txt', questionsOf(35));
    const said = await run('many.txt');
    expect(said.stdout).toMatch(/\nWaiting: 35 questions\. To send them: airank push questions\n$/);
    expect(said.stderr).toMatch(/POST bgpi\/observe answered 401\. Check the key/);
    expect(said.stderr).not.toContain('a-key');
    expect(await run('--drop-waiting')).toMatchObject({
      exitCode: 0,
      stdout: 'Dropped 35 waiting questions\n',
    });
    expect(await run('')).toMatchObject({ exitCode: 0, stdout: 'No questions are waiting\n' });
  });

  it.each([
    ['missing.txt', /Cannot read "missing\.txt": /],
    ['-', /Cannot read "-": standard input is a terminal\. Use a pipe/],
    ['--dry-run', /Expected a file with --dry-run, got none/],
    ['missing.txt --drop-waiting', /Expected --drop-waiting alone/],
    ['--account other', /Expected --account to be one of default, got "other"/],
  ])('%s is wrong usage', async (args, message) => {
    const said = await run(args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
  });
});

const answer = fc.constantFrom<ToldAnswer>(
  { status: 202 },
  { status: 202 },
  { status: 202 },
  { status: 400 },
  { status: 401 },
  { status: 503 },
  'drop',
  'lost',
  { status: 429, body: { error: 'quota', retryAfter: 3_600 } },
);
interface Turn {
  readonly given: number;
  readonly answers: readonly ToldAnswer[];
  readonly stopAt: number;
  readonly refused: Policy;
}
const turn: fc.Arbitrary<Turn> = fc.record({
  /** Given with this push, from the first one on: most of them again. */
  given: fc.nat({ max: 70 }),
  answers: fc.array(answer, { maxLength: 4 }),
  /** Stopped when this request arrives; 0: not. */
  stopAt: fc.nat({ max: 4 }),
  refused: fc.constantFrom<Policy>('report', 'resend', 'skip'),
});

let number = 0;

it('takes each question once, and loses none', { timeout: 60_000 }, async () => {
  await withoutWriteLimits(database.pool);
  const pushOnce = async (account: string, { given, answers, stopAt, refused }: Turn) => {
    const stop = new AbortController();
    let requests = 0;
    server.answers.splice(0, Number.POSITIVE_INFINITY, ...answers);
    server.onRequest = () => {
      requests += 1;
      if (requests === stopAt) stop.abort();
    };
    const of = { pool: database.pool, url: server.url, account, signal: stop.signal };
    return await pushTo(of, questionsOf(given), { refused });
  };
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      server.reset();
      number += 1;
      const account = `model-${number}`;
      const given = new Set<string>();
      let skipped = 0;
      for (const one of turns) {
        for (const text of questionsOf(one.given)) given.add(text);
        const pushed = await pushOnce(account, one);
        skipped += pushed.skippedRequests;
        const taken = server.taken.flat();
        expect(new Set(taken).size).toBe(taken.length);
        // A question that is not taken still has its text, unless somebody left it for good.
        const texts = await textsOf(account);
        const missing = [...given].filter((text) => !taken.includes(text) && !texts.includes(text));
        if (skipped === 0) expect(missing).toEqual([]);
        const inOpen = pushed.open.flatMap((write) => write.texts);
        expect(inOpen.length + pushed.waiting).toBe(texts.length);
        // A question that was taken, but is not known to be, is named.
        const unknown = pushed.open
          .filter(({ status }) => status === 'unknown')
          .flatMap((write) => write.texts);
        for (const text of texts.filter((one) => taken.includes(one))) expect(unknown).toContain(text);
      }
      await database.pool.query('delete from sync.budget_write_closed');
      const quiet = { given: 0, answers: [], stopAt: 0, refused: 'resend' } as const;
      const last = await pushOnce(account, quiet);
      expect(last).toMatchObject({ end: { kind: 'done' }, waiting: 0 });
      expect(last.open.every(({ status }) => status === 'unknown')).toBe(true);
      const taken = server.taken.flat();
      expect(new Set(taken).size).toBe(taken.length);
    }),
    { numRuns: 8 },
  );
});
