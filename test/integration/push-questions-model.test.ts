// Any order of answers, stops and pushes: no question is taken twice, none is lost, and what is unknown is named.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Policy } from '../../src/writes/send.ts';
import { push, questionsOf } from '../support/push-in-process.ts';
import { useQuestionServer } from '../support/use-question-server.ts';
import type { ToldAnswer } from '../support/write-server.ts';
import { withoutWriteLimits } from '../writes/slow-book.ts';

const world = useQuestionServer();
const { textsOf } = world;

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

beforeAll(() => withoutWriteLimits(world.database.pool));

it('takes each question once, and loses none', { timeout: 60_000 }, async () => {
  const pushOnce = async (account: string, { given, answers, stopAt, refused }: Turn) => {
    const stop = new AbortController();
    let requests = 0;
    world.server.answers.splice(0, Number.POSITIVE_INFINITY, ...answers);
    world.server.onRequest = () => {
      requests += 1;
      if (requests === stopAt) stop.abort();
    };
    const of = { pool: world.database.pool, url: world.server.url, account, signal: stop.signal };
    return await push(of, questionsOf(given), { refused });
  };
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      world.server.reset();
      number += 1;
      const account = `model-${number}`;
      const given = new Set<string>();
      let skipped = 0;
      for (const one of turns) {
        for (const text of questionsOf(one.given)) given.add(text);
        const pushed = await pushOnce(account, one);
        skipped += pushed.skippedRequests;
        const taken = world.server.taken.flat();
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
      await world.database.pool.query('delete from sync.budget_write_closed');
      const quiet = { given: 0, answers: [], stopAt: 0, refused: 'resend' } as const;
      const last = await pushOnce(account, quiet);
      expect(last).toMatchObject({ end: { kind: 'done' }, waiting: 0 });
      expect(last.open.every(({ status }) => status === 'unknown')).toBe(true);
      const taken = world.server.taken.flat();
      expect(new Set(taken).size).toBe(taken.length);
    }),
    { numRuns: 8 },
  );
});
