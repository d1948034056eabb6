import { appendFileSync, copyFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FatalError } from '../../src/core/errors.ts';
import {
  answers,
  botLines,
  botTime,
  idsIn,
  numbers,
  threeUploads,
  usePushWorld,
} from '../support/push-logs-in-process.ts';

const { database, makeWorld } = usePushWorld();

describe('a push of logs', () => {
  it('sends each line once, and what is new the next time', async () => {
    const { push, write, bodies } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    const first = await push([path]);
    expect(first.sources).toMatchObject([{ known: false, uploads: 3, acceptedLines: 12_000 }]);
    expect((await push([path])).sources).toMatchObject([
      { known: true, uploads: 0, toByte: first.sources[0]?.toByte },
    ]);
    appendFileSync(path, botLines(2, threeUploads));
    expect((await push([path])).sources).toMatchObject([{ uploads: 1, acceptedLines: 2 }]);
    expect(idsIn(bodies)).toEqual(numbers(threeUploads + 2));
  });

  it('leaves a last line that is not finished until it is, also the first of a log, and sends the others', async () => {
    const { push, write, bodies } = await makeWorld();
    const bytes = Buffer.from(botLines(3).replaceAll('/p/', '/ñ/'));
    // In the first line, in the middle of the character of two bytes, before the end of the last line.
    const cuts = [40, bytes.lastIndexOf('ñ') + 1, bytes.length - 1, bytes.length];
    const path = write('access.log', '');
    const accepted: number[] = [];
    for (const [index, cut] of cuts.entries()) {
      appendFileSync(path, bytes.subarray(cuts[index - 1] ?? 0, cut));
      const { sources } = await push([path, write('other.log', botLines(index + 1, 10))]);
      accepted.push(sources[0]?.acceptedLines ?? 0);
    }
    expect(accepted).toEqual([0, 2, 0, 1]);
    expect(idsIn(bodies).sort((a, b) => a - b)).toEqual([0, 1, 2, 10, 11, 12, 13]);
  });

  it('leaves half a line at the end of a pipe, whose source may still grow', async () => {
    const { push, write, bodies } = await makeWorld();
    const whole = botLines(4);
    const piped = await push(['-'], { input: whole.slice(0, -9) });
    expect(piped.sources).toMatchObject([{ acceptedLines: 3, counts: { unreadable: 0 } }]);
    expect(piped.sources[0]?.unfinishedBytes).toBeGreaterThan(0);
    const path = write('access.log', whole);
    expect((await push([path])).sources).toMatchObject([{ known: true, acceptedLines: 1 }]);
    expect(idsIn(bodies)).toEqual(numbers(4));
  });

  it('notes ranges without anything to send as one', async () => {
    const { push, write } = await makeWorld();
    const path = write('access.log', botLines(50).replaceAll('GPTBot', 'Firefox'));
    await push([path]);
    appendFileSync(path, botLines(50, 50).replaceAll('GPTBot', 'Firefox'));
    const { sources } = await push([path]);
    expect(sources).toMatchObject([{ uploads: 0, counts: { read: 50, not_bots: 50 } }]);
    const { rows } = await database.pool.query(
      `select w.status, w.to_byte, w.counts->>'read' as read from sync.write w where w.source_id = $1`,
      [sources[0]?.sourceId],
    );
    expect(rows).toEqual([{ status: 'empty', to_byte: sources[0]?.toByte, read: '100' }]);
  });
});

describe('an upload that may have arrived', () => {
  it('is reported by every push, and sent again when asked to, with the same body', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    plan(answers(202), answers(503));
    const first = await push([path]);
    expect(first.sources).toMatchObject([{ uploads: 2, unknown: [{ lines: 5_000 }] }]);
    expect(first.failure).toBeUndefined();
    expect((await push([path])).sources).toMatchObject([{ uploads: 0, unknown: [{ lines: 5_000 }] }]);
    expect(bodies).toHaveLength(3);
    expect((await push([path], { unknown: 'resend' })).sources).toMatchObject([{ uploads: 1, unknown: [] }]);
    expect(bodies[3]).toBe(bodies[1]);
    expect((await push([path])).sources).toMatchObject([{ uploads: 0, unknown: [] }]);
  });

  it('is sent again with lines that have become too old since', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    // The clock is looked at for the account's name, when the push waits for its turn, then when it reads: just young enough.
    // A look later all are too old.
    let nowMs = Date.parse(botTime) + 90 * 86_400_000 - 3_000;
    const now = () => {
      nowMs += 1_000;
      return nowMs;
    };
    const path = write('access.log', botLines(10));
    plan(answers(503));
    await push([path], { now });
    expect((await push([path], { unknown: 'resend', now })).sources).toMatchObject([{ acceptedLines: 10 }]);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it('is left for good when asked to', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(10));
    plan(answers(503));
    await push([path]);
    expect((await push([path], { unknown: 'skip' })).sources).toMatchObject([{ skipped: 1, unknown: [] }]);
    expect((await push([path], { unknown: 'resend' })).sources).toMatchObject([{ uploads: 0, unknown: [] }]);
    expect(bodies).toHaveLength(1);
  });

  it('is not sent again where the log has other bytes there, or fewer lines with other options', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(10));
    plan(answers(503));
    await push([path]);
    const again = { unknown: 'resend', stripPrefix: /^.*GPTBot/ } as const;
    expect((await push([path], again)).sources).toMatchObject([
      { refused: [{ why: expect.stringMatching(/same options/) }] },
    ]);
    write('access.log', botLines(9) + botLines(1, 70));
    const { sources } = await push([path], { unknown: 'resend' });
    expect(sources).toMatchObject([{ known: false }]);
    expect(bodies).toHaveLength(2);
    expect(idsIn(bodies.slice(1))).toEqual([...numbers(9), 70]);
  });

  it('is sent again through a pipe, before what is new', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    plan(answers(503));
    await push([write('access.log', botLines(10))]);
    const { sources } = await push(['-'], { unknown: 'resend', input: botLines(12) });
    expect(sources).toMatchObject([{ known: true, uploads: 2, acceptedLines: 12, unknown: [] }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(12));
  });

  it('is named where its log is not there', async () => {
    const { push, write, plan } = await makeWorld();
    plan(answers(503));
    await push([write('access.log', botLines(10))]);
    expect((await push([write('other.log', botLines(5, 100))])).elsewhere).toEqual([
      { name: 'access.log', uploads: 1 },
    ]);
  });
});

describe('an upload that is refused', () => {
  it('for its content is reported, and the next one goes on', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    plan(answers(400, { error: 'no' }));
    expect((await push([path])).sources).toMatchObject([{ uploads: 2, refused: [{ why: 'answered 400' }] }]);
    expect((await push([path])).sources).toMatchObject([{ uploads: 0, refused: [{ why: 'answered 400' }] }]);
    expect(bodies).toHaveLength(3);
    expect((await push([path], { refused: 'resend' })).sources).toMatchObject([{ uploads: 1, refused: [] }]);
    expect(bodies[3]).toBe(bodies[0]);
  });

  it('and what is unknown are stored without the addresses that the answer repeats', async () => {
    const { push, write, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    const repeats = { linea: '192.0.2.7 - - [03/Apr/2026:10:00:00 +0000]' };
    plan(answers(400, repeats), answers(500, repeats));
    const { sources } = await push([path]);
    expect(JSON.stringify(sources)).not.toMatch(/192\.0\.2\.7/);
    const { rows } = await database.pool.query(
      `select status, answer from sync.write where source_id = $1 and answer like '%[address]%' order by id`,
      [sources[0]?.sourceId],
    );
    expect(rows).toMatchObject([{ status: 'refused' }, { status: 'unknown' }]);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2\.7/);
  });

  it('because of the key ends the push, and the next one sends everything', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    plan(answers(401));
    const first = await push([path, 'never-looked-at.log']);
    expect(first.failure).toBeInstanceOf(FatalError);
    expect(first.notReached).toEqual(['never-looked-at.log']);
    expect((await push([path])).sources).toMatchObject([{ uploads: 3, acceptedLines: 12_000 }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(threeUploads));
  });

  it('by the limit of uploads waits, and closes nothing else', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    plan(
      answers(202),
      answers(429, { error: 'rate_limited', retryAfter: 1800 }, { 'x-ratelimit-remaining': '58' }),
    );
    const { stop, sources } = await push([path]);
    expect(sources).toMatchObject([{ uploads: 1, refused: [] }]);
    const until = stop?.kind === 'deferred' ? stop.until.getTime() : 0;
    expect(until - Date.now()).toBeGreaterThan(1_700_000);
    const { rows } = await database.pool.query(
      'select day_closed_until, blocked_until from sync.budget_account where account = (select account from sync.write_source where id = $1)',
      [sources[0]?.sourceId],
    );
    expect(rows).toEqual([{ day_closed_until: null, blocked_until: null }]);
    await database.pool.query('delete from sync.budget_write_closed');
    expect((await push([path])).sources).toMatchObject([{ uploads: 2 }]);
    expect(idsIn([bodies[0], ...bodies.slice(2)].map(String))).toEqual(numbers(threeUploads));
  });
});

describe('a log that was read before', () => {
  it('is known by another name', async () => {
    const { push, write, folder, bodies } = await makeWorld();
    const path = write('access.log', botLines(100));
    await push([path]);
    renameSync(path, join(folder, 'access.log.1'));
    const fresh = write('access.log', botLines(5, 100));
    const { sources } = await push([join(folder, 'access.log.1'), fresh]);
    expect(sources).toMatchObject([
      { known: true, uploads: 0 },
      { known: false, acceptedLines: 5 },
    ]);
    expect(idsIn(bodies)).toEqual(numbers(105));
  });

  it('is told from one that begins the same and goes on otherwise', async () => {
    const { push, write, bodies } = await makeWorld();
    await push([write('one.log', botLines(100))]);
    const other = botLines(60) + botLines(60, 1_000);
    expect((await push([write('two.log', other)])).sources).toMatchObject([
      { known: false, acceptedLines: 120 },
    ]);
    const piped = await push(['-'], { input: botLines(60) + botLines(60, 2_000) });
    expect(String(piped.failure)).toMatch(/Standard input begins like log \d+.*add --new/);
    expect(bodies).toHaveLength(2);
  });

  it.each([
    ['shorter', true, botLines(3, 100)],
    ['longer', false, botLines(60, 100)],
    ['and beginning as before', false, botLines(40) + botLines(30, 100)],
  ])(
    'goes on as another one where it was truncated and is written anew, %s',
    async (_, isTruncated, anew) => {
      const { push, write, folder, bodies } = await makeWorld();
      const path = write('access.log', botLines(50));
      await push([path]);
      appendFileSync(path, botLines(5, 50));
      const copy = join(folder, 'access.log.1');
      copyFileSync(path, copy);
      truncateSync(path);
      appendFileSync(path, anew);
      const { sources } = await push([path, copy]);
      expect(sources).toMatchObject([
        { known: false, isTruncated },
        { known: true, acceptedLines: 5 },
      ]);
      expect(idsIn(bodies)).toEqual([...numbers(50), ...idsIn([anew]), ...numbers(5, 50)]);
    },
  );

  it('is not sent where it ends before what was sent, unless it is said to be new', async () => {
    const { push, write, bodies } = await makeWorld();
    await push([write('one.log', botLines(200))]);
    const short = write('short.log', botLines(80));
    expect((await push([short])).sources).toMatchObject([{ isShorter: true, uploads: 0 }]);
    expect(String((await push(['-'], { input: botLines(80) })).failure)).toMatch(/it ends before.*--new/);
    expect((await push([short], { isNew: true })).sources).toMatchObject([
      { known: false, acceptedLines: 80 },
    ]);
    expect(bodies).toHaveLength(2);
  });
});

describe('a push that cannot go on', () => {
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
    const path = write('access.log', botLines(25_000));
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
    expect(idsIn(bodies)).toEqual(numbers(25_000));
  });

  it('ends in an outage also where unknown uploads are sent again, and names those that it did not send', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(25_000));
    const [up, down] = [answers(202), answers(503)];
    plan(down, up, down, up, down);
    expect(await push([path])).toMatchObject({ sources: [{ unknown: [{}, {}, {}] }], stop: undefined });
    plan(...Array.from({ length: 20 }, () => down));
    const again = await push([path], { unknown: 'resend' });
    expect(again).toMatchObject({ sources: [{ unknown: [{}, {}, {}] }], stop: { kind: 'outage' } });
    expect(bodies).toHaveLength(5 + 1);
  });
});
