// Questions against a real server: each is sent once, also after a stop at any step, and never past a limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { countUnsent, dropUnsent, exitCodeOf } from '../../src/writes/push-questions.ts';
import { questionHash } from '../../src/writes/read-questions.ts';
import { countKnown } from '../../src/writes/store/question-writes.ts';
import { push as pushTo, questionsOf } from '../support/push-in-process.ts';
import { useQuestionServer } from '../support/use-question-server.ts';

const world = useQuestionServer();
const { push, writesOf, textsOf } = world;
let sandbox: Sandbox;
const keys = ['borders', 'twenty', 'rest'];

beforeAll(async () => {
  sandbox = await startSandbox({ apiKeys: keys, perMinute: 1_000_000, perDay: 1_000_000 });
});
afterAll(() => sandbox?.close());

describe('against the borders of the service', () => {
  const toSandbox = (account: string, texts: readonly string[] = []) =>
    pushTo({ pool: world.database.pool, url: sandbox.url, account }, texts);

  it('sends 8 and 300 characters, whatever they are made of', async () => {
    const texts = ['a'.repeat(8), 'b'.repeat(300), '😀'.repeat(8), '😀'.repeat(150), 'x\u0301'.repeat(8)];
    const pushed = await toSandbox('borders', texts);
    expect(pushed).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 5, open: [] });
  });

  it('puts 20 into a request, and the 21st into another', async () => {
    expect(await toSandbox('twenty', questionsOf(21))).toMatchObject({ acceptedRequests: 2, waiting: 0 });
    expect((await writesOf('twenty')).map(({ takes }) => takes)).toEqual([20, 1]);
  });

  it('sends 200 a day, and the 201st waits for the next one', async () => {
    const first = await toSandbox('rest', questionsOf(195));
    expect(first).toMatchObject({ acceptedQuestions: 195, acceptedRequests: 10, waiting: 0 });
    const second = await toSandbox('rest', questionsOf(8, 'otra'));
    expect(second).toMatchObject({ end: { kind: 'deferred' }, acceptedQuestions: 5, waiting: 3, open: [] });
    expect(second.end.kind === 'deferred' && second.end.until.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(exitCodeOf(second)).toBe(3);
    expect(await textsOf('rest')).toEqual(questionsOf(8, 'otra').slice(5));
    // The service itself would not have taken it.
    await world.database.pool.query(`delete from sync.budget_write where account = 'rest'`);
    const refused = await toSandbox('rest');
    expect(refused).toMatchObject({ end: { kind: 'deferred' }, acceptedQuestions: 0, waiting: 3 });
    const writes = await writesOf('rest');
    expect(writes.at(-1)).toMatchObject({ status: 'refused', http_status: 429, amount: 3 });
  });

  it('goes on with what waited when the limit is over, without a file', async () => {
    await world.database.pool.query(`delete from sync.budget_write_closed where account = 'rest'`);
    const waited = await textsOf('rest');
    const pushed = await pushTo({ pool: world.database.pool, url: world.server.url, account: 'rest' });
    expect(pushed).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 3, waiting: 0 });
    expect(world.server.taken.flat()).toEqual(waited);
    expect(await textsOf('rest')).toEqual([]);
  });
});

describe('what was given', () => {
  const known = async (account: string, texts: readonly string[]) => {
    const questions = texts.map((text) => ({ text, hash: questionHash(text) }));
    return await countKnown(world.db, account, questions);
  };

  it('is sent under the name of the setting, and only its hash stays', async () => {
    const env = { AIRANK_QUESTIONS_FIELD: 'questions' };
    await pushTo({ pool: world.database.pool, url: world.server.url, account: 'field', env }, questionsOf(1));
    expect(world.server.bodies).toEqual([{ questions: questionsOf(1) }]);
    const row = await world.db
      .selectFrom('sync.question')
      .selectAll()
      .where('account', '=', 'field')
      .executeTakeFirst();
    expect(row).toMatchObject({ text: null, hash: questionHash(questionsOf(1)[0] ?? '') });
    expect(row?.sent_at).not.toBeNull();
  });

  it('is not sent again within 90 days', async () => {
    const texts = questionsOf(2);
    await push('again', texts);
    expect(await known('again', texts)).toEqual({ taken: 0, sent: 2, waits: 0, unsettled: 0 });
    expect(await push('again', texts)).toMatchObject({ requests: 0, end: { kind: 'done' } });
    await world.database.pool.query(
      `update sync.question set sent_at = sent_at - interval '91 days' where account = 'again'`,
    );
    expect(await known('again', texts)).toMatchObject({ taken: 2, sent: 0 });
    expect(await push('again', texts)).toMatchObject({ acceptedQuestions: 2 });
    expect(world.server.taken).toEqual([texts, texts]);
  });

  it('is known by its hash for 90 days only', async () => {
    await push('hash', questionsOf(2));
    await world.database.pool.query(
      `update sync.question set sent_at = sent_at - interval '91 days' where account = 'hash'`,
    );
    await push('hash', questionsOf(1, 'otra'));
    const rows = await world.db
      .selectFrom('sync.question')
      .select('hash')
      .where('account', '=', 'hash')
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('waits where the requests of the day end before the limit does', async () => {
    const of = {
      pool: world.database.pool,
      url: world.server.url,
      account: 'day',
      env: { AIRANK_PER_DAY: '1' },
    };
    const pushed = await pushTo(of, questionsOf(30));
    expect(pushed).toMatchObject({ acceptedQuestions: 20, waiting: 10, open: [] });
    expect(pushed.end).toMatchObject({ kind: 'deferred', why: 'no requests of the day remain' });
    expect(exitCodeOf(pushed)).toBe(3);
  });

  it('is dropped before it is sent where somebody says so, but stays known where it was sent before', async () => {
    await push('drop', questionsOf(1));
    const deaf = { pool: world.database.pool, url: 'http://127.0.0.1:9', account: 'drop' };
    await pushTo(deaf, questionsOf(3));
    expect(await countUnsent(world.db, 'drop')).toBe(2);
    expect(await dropUnsent(world.db, 'drop')).toBe(2);
    expect(await known('drop', questionsOf(3))).toMatchObject({ taken: 2, sent: 1 });
    expect(await countUnsent(world.db, 'drop')).toBe(0);
    expect((await writesOf('drop')).map(({ status }) => status)).toEqual(['accepted']);
  });
});

describe('a request that is refused', () => {
  it('ends the first run at once, since the form may be wrong, and goes again when somebody says so', async () => {
    world.server.answers.push({ status: 400 });
    const texts = questionsOf(30);
    const pushed = await push('form', texts);
    expect(pushed).toMatchObject({ end: { kind: 'form', status: 400 }, requests: 1, waiting: 10 });
    expect(pushed.open).toMatchObject([{ status: 'refused', httpStatus: 400, texts: texts.slice(0, 20) }]);
    expect(exitCodeOf(pushed)).toBe(1);
    expect(await push('form', [], { refused: 'resend' })).toMatchObject({ acceptedQuestions: 30, open: [] });
  });

  it('stays, is named, and the next one goes on', async () => {
    await push('content', questionsOf(1, 'primera'));
    world.server.answers.push({ status: 422 });
    const texts = questionsOf(21);
    const pushed = await push('content', texts);
    expect(pushed).toMatchObject({
      end: { kind: 'done' },
      acceptedQuestions: 1,
      open: [{ httpStatus: 422 }],
    });
    const again = await push('content');
    expect(again).toMatchObject({ requests: 0, open: [{ httpStatus: 422, texts: texts.slice(0, 20) }] });
    expect(exitCodeOf(again)).toBe(1);
  });

  it('is left for good when somebody says so', async () => {
    await push('left', questionsOf(1, 'primera'));
    world.server.answers.push({ status: 422 });
    await push('left', questionsOf(3));
    const skipped = await push('left', [], { refused: 'skip' });
    expect(skipped).toMatchObject({ requests: 0, skippedRequests: 1, open: [], end: { kind: 'done' } });
    expect(await textsOf('left')).toEqual([]);
  });

  it.each([401, 403, 404, 302])(
    'by %i ends the run, and goes by itself with the next one',
    async (status) => {
      world.server.answers.push({ status });
      const account = `access-${status}`;
      const pushed = await push(account, questionsOf(21));
      expect(pushed).toMatchObject({ end: { kind: 'failed' }, requests: 0, waiting: 21, open: [] });
      expect(world.server.bodies).toHaveLength(1);
      expect(exitCodeOf(pushed)).toBe(1);
      expect(await push(account)).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 21 });
      expect(await writesOf(account)).toMatchObject([{ status: 'accepted', attempts: 2 }, {}]);
    },
  );

  it('by a quota closes the kind, and goes by itself when it is over', async () => {
    world.server.answers.push({ status: 429, body: { error: 'quota', retryAfter: 3_600 } });
    const pushed = await push('quota', questionsOf(21));
    expect(pushed).toMatchObject({ end: { kind: 'deferred' }, waiting: 21, open: [] });
    expect(exitCodeOf(pushed)).toBe(3);
    expect(await push('quota')).toMatchObject({ end: { kind: 'deferred' }, requests: 0 });
    await world.database.pool.query(`delete from sync.budget_write_closed where account = 'quota'`);
    expect(await push('quota')).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 21 });
  });
});
