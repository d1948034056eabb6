// Questions whose requests end badly: what may have arrived is not sent again by itself. Stops at any
// step: push-questions-model and writes-kills.
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/writes/push-questions.ts';
import { holdingWrites } from '../../src/writes/send.ts';
import { holdWrites, writesHolder } from '../../src/writes/store/write-states.ts';
import { push as pushTo, questionsOf } from '../support/push-in-process.ts';
import { useQuestionServer } from '../support/use-question-server.ts';

const world = useQuestionServer();
const { push, writesOf, textsOf } = world;

describe('a request of unknown outcome', () => {
  it('is reported and not sent again, the next one goes on, and two in a row end the run', async () => {
    world.server.answers.push({ status: 503 });
    const texts = questionsOf(21);
    const pushed = await push('unknown', texts);
    expect(pushed).toMatchObject({ acceptedQuestions: 1, open: [{ status: 'unknown', httpStatus: 503 }] });
    expect(exitCodeOf(pushed)).toBe(1);
    expect(await push('unknown', texts)).toMatchObject({ requests: 0, open: [{ status: 'unknown' }] });
    world.server.answers.push({ status: 500 }, { status: 500 });
    const more = await push('unknown', questionsOf(60, 'otra'));
    expect(more).toMatchObject({ end: { kind: 'unknown' }, requests: 2, waiting: 20, open: [{}, {}, {}] });
  });

  it('is sent again with the same body when somebody says so', async () => {
    world.server.answers.push({ status: 500 });
    await push('resend', questionsOf(3));
    const [lost] = world.server.bodies;
    expect(await push('resend', [], { unknown: 'resend' })).toMatchObject({ acceptedQuestions: 3, open: [] });
    expect(world.server.bodies).toEqual([lost, lost]);
    expect(await writesOf('resend')).toMatchObject([{ status: 'accepted', attempts: 2 }]);
  });

  it('is left for good when somebody says so, and its questions count as sent', async () => {
    world.server.answers.push('drop');
    await push('skip', questionsOf(3));
    const skipped = await push('skip', questionsOf(4), { unknown: 'skip' });
    expect(skipped).toMatchObject({ skippedRequests: 1, acceptedQuestions: 1, open: [] });
    expect(await push('skip', questionsOf(4))).toMatchObject({ requests: 0, open: [] });
    const [first] = await writesOf('skip');
    expect(first).toMatchObject({ status: 'unknown' });
    expect(first?.skipped_at).not.toBeNull();
  });

  it('is left for good by another command, and its texts go', async () => {
    world.server.answers.push('drop');
    await push('elsewhere', questionsOf(3));
    await world.database.pool.query(`update sync.write set skipped_at = now() where account = 'elsewhere'`);
    expect(await push('elsewhere', questionsOf(3))).toMatchObject({ requests: 0, open: [], waiting: 0 });
    expect(await textsOf('elsewhere')).toEqual([]);
    expect(await push('elsewhere', questionsOf(3))).toMatchObject({ requests: 0 });
  });
});

describe('after a stop', () => {
  it('because nobody listens nothing is lost, and the place in the limit is given back', async () => {
    const pushed = await pushTo(
      { pool: world.database.pool, url: 'http://127.0.0.1:9', account: 'deaf' },
      questionsOf(200),
    );
    expect(pushed).toMatchObject({ end: { kind: 'failed' }, requests: 0, waiting: 200, open: [] });
    expect(await push('deaf')).toMatchObject({ end: { kind: 'done' }, acceptedQuestions: 200 });
  });
});

describe('two processes', () => {
  it('send one after the other, and the one that waits says for whom', async () => {
    const held = await holdWrites(world.database.pool, 'two', 'questions');
    const holder = await writesHolder(world.db, 'two', 'questions');
    expect(holder?.pid).toBeGreaterThan(0);
    const told: unknown[] = [];
    const signal = new AbortController().signal;
    const clock = { now: () => Date.now(), sleep: async () => await held?.release() };
    const of = { pool: world.database.pool, account: 'two', kind: 'questions', clock, signal } as const;
    const worked = await holdingWrites({ ...of, onBusy: (one) => told.push(one) }, async () => 'worked');
    expect([worked, told]).toEqual(['worked', [holder]]);
  });

  it('do not wait for ever', async () => {
    const held = await holdWrites(world.database.pool, 'ever', 'questions');
    const signal = new AbortController().signal;
    let nowMs = 0;
    const sleep = async (delayMs: number) => {
      nowMs += delayMs * 100;
    };
    const clock = { now: () => nowMs, sleep };
    const of = { pool: world.database.pool, account: 'ever', kind: 'questions', clock, signal } as const;
    const waiting = holdingWrites({ ...of, onBusy: () => undefined }, async () => 'worked');
    await expect(waiting).rejects.toThrow(
      'Another process is still sending questions of account ever. Run this again',
    );
    await held?.release();
  });
});
