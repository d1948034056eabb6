// Ends pushes of logs early, and checks what the next one does then.
import { describe, expect, it } from 'vitest';
import { RetryableError } from '../../src/core/errors.ts';
import {
  answers,
  botLines,
  idsIn,
  numbers,
  threeUploads,
  usePushWorld,
} from '../support/push-logs-in-process.ts';

const { database, makeWorld } = usePushWorld();
const eventsOfOne = 5_000;

describe('a push that cannot go on', () => {
  it('ends where the uploads of the hour are used up, and says from when on it goes on', async () => {
    const { push, write, bodies, account } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    await database().pool.query(
      `insert into sync.budget_write (account, kind, write_id, attempt, amount, at)
       select $1, 'logs', 0, 1, 1, now() from generate_series(1, 18)`,
      [account],
    );
    const { stop } = await push([path]);
    expect(stop).toMatchObject({ kind: 'deferred' });
    expect(bodies).toHaveLength(2);
    await database().pool.query('delete from sync.budget_write');
    expect((await push([path])).sources).toMatchObject([{ uploads: 1, acceptedLines: 2_000 }]);
    expect(idsIn(bodies)).toEqual(numbers(threeUploads));
  });

  it('ends at a stop while it reads lines of which none is sent', async () => {
    const { push, write } = await makeWorld();
    const path = write('access.log', botLines(50).replaceAll('GPTBot', 'Firefox'));
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const { failure, sources } = await push([path], { signal: stop.signal });
    expect(failure).toMatchObject({ message: 'stopped' });
    expect(sources).toMatchObject([{ counts: { read: 0 } }]);
  });

  it('ends where the log is truncated and begun anew meanwhile, and the next one sends what is in it', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    const anew = 20_000;
    plan((response, request) => {
      // Longer by now than what was read of it before.
      write('access.log', botLines(threeUploads, anew));
      answers(202)(response, request);
    });
    expect(String((await push([path])).failure)).toMatch(
      /to stay the same while it is read, but it was truncated/,
    );
    expect(bodies).toHaveLength(1);
    expect((await push([path])).sources).toMatchObject([{ known: false, acceptedLines: threeUploads }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(threeUploads, anew));
  });

  it('ends where no request of the day remains', async () => {
    const { push, write, bodies } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    const { stop } = await push([path], { env: { AIRANK_PER_DAY: '1' } });
    expect(stop).toMatchObject({ why: 'no requests of the day remain' });
    expect(bodies).toHaveLength(1);
  });

  it('ends when the outcome of two uploads in a row is unknown, in an outage sends one a push, and then goes on', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(5 * eventsOfOne));
    plan(...Array.from({ length: 5 }, () => answers(503)));
    const first = await push([path, 'never-looked-at.log']);
    expect(first).toMatchObject({
      sources: [{ uploads: 0, unknown: [{}, {}] }],
      notReached: ['never-looked-at.log'],
      stop: { kind: 'outage', name: 'access.log', readTo: first.sources[0]?.toByte },
    });
    expect((await push([path])).sources).toMatchObject([{ uploads: 0, unknown: [{}, {}, {}] }]);
    expect(bodies).toHaveLength(3);
    plan();
    const last = await push([path]);
    expect(last).toMatchObject({ sources: [{ uploads: 2, unknown: [{}, {}, {}] }], stop: undefined });
    expect(idsIn(bodies)).toEqual(numbers(5 * eventsOfOne));
  });

  it('ends in an outage also where unknown uploads are sent again, and names those that it did not send', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(5 * eventsOfOne));
    const [up, down] = [answers(202), answers(503)];
    plan(down, up, down, up, down);
    expect(await push([path])).toMatchObject({ sources: [{ unknown: [{}, {}, {}] }], stop: undefined });
    plan(...Array.from({ length: 20 }, () => down));
    const again = await push([path], { unknown: 'resend' });
    expect(again).toMatchObject({ sources: [{ unknown: [{}, {}, {}] }], stop: { kind: 'outage' } });
    expect(bodies).toHaveLength(5 + 1);
  });

  it('leaves what never reached the service to the next one', async () => {
    const { push, write, bodies } = await makeWorld();
    const path = write('access.log', botLines(10));
    const nowhere = await push([path], { env: { AIRANK_BASE_URL: 'http://127.0.0.1:9' } });
    expect(nowhere.failure).toBeInstanceOf(RetryableError);
    expect((await push([path])).sources).toMatchObject([{ uploads: 1, acceptedLines: 10 }]);
    expect(idsIn(bodies)).toEqual(numbers(10));
  });
});
