// Logs as they are found, the bodies that arrive, and what the next push does.
import { appendFileSync, copyFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { faultLines } from '../../src/cli/commands/push-logs-command.ts';
import { FatalError, RetryableError } from '../../src/core/errors.ts';
import { exitCodeOf, readStripPrefix } from '../../src/writes/push-logs.ts';
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

const hourAgo = new Date(Date.now() - 3_600_000).toUTCString();
const [, day, month, year, clock] = hourAgo.split(' ');
const [gpt, claude] = ['GPTBot/1.2', 'ClaudeBot/1.0'].map((name) => `Mozilla/5.0 (compatible; ${name})`);
const bare = (path: string, agent = gpt) =>
  `- - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 5120 "-" "${agent}"`;

describe('what stands before the address', () => {
  it.each([
    ['docker compose', 'web-1  | ', String.raw`\S+ +\| `],
    ['journald', 'Nov 24 07:00:03 host nginx[812]: ', String.raw`.*?\]?: `],
    ['Kubernetes', '2026-11-24T07:00:04.123456789Z stdout F ', String.raw`\S+ \S+ [FP] `],
  ])('by %s is never sent as the address; with --strip-prefix the same log is', async (_, prefix, regex) => {
    const { push, write, bodies } = await makeWorld();
    const path = write(
      'access.log',
      `${prefix}203.0.113.7 ${bare('/a')}\n${prefix}203.0.113.8 ${bare('/b', claude)}\n`,
    );
    const first = await push([path]);
    expect(first.sources).toMatchObject([{ uploads: 0, counts: { read: 2, no_address: 2 } }]);
    expect(exitCodeOf(first)).toBe(1);
    const [told] = faultLines(first);
    expect(told).toContain(
      `access.log, byte 0: expected the address of the client, got "${prefix.replaceAll(/ +/g, ' ')}203.0.113.7`,
    );
    expect(told).toContain(`'${regex}'`);
    const stripped = await push([path], { stripPrefix: readStripPrefix(regex) });
    expect(exitCodeOf(stripped)).toBe(0);
    expect(bodies).toEqual([`203.0.113.7 ${bare('/a')}\n203.0.113.8 ${bare('/b', claude)}\n`]);
  });
});

describe('what breaks a log', () => {
  it('as a hole of NUL, at its beginning and later, or a line of more than 64 KiB, is skipped and counted', async () => {
    const { push, write, bodies } = await makeWorld();
    const hole = '\0'.repeat(70_000);
    const lines = `203.0.113.7 ${bare('/a')}\n${'x'.repeat(70_000)}\n${hole}203.0.113.8 ${bare('/b')}\n`;
    const path = write('access.log', hole + lines);
    const counts = { holes: 2, too_long: 1 };
    expect((await push([path])).sources).toMatchObject([{ acceptedLines: 2, unfinishedBytes: 0, counts }]);
    expect(bodies).toEqual([`203.0.113.7 ${bare('/a')}\n203.0.113.8 ${bare('/b')}\n`]);
    expect((await push([path])).sources).toMatchObject([{ known: true, uploads: 0, counts: { read: 0 } }]);
  });

  it('as a file that shrinks while it is read is named, and sends nothing of what was read since', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const path = write('access.log', botLines(12_000));
    plan((response) => {
      truncateSync(path, 100);
      response.writeHead(202).end('{}');
    });
    const said = await push([path, write('other.log', botLines(1, 90_000))]);
    expect(said.failed).toMatchObject([{ path }]);
    expect(String(said.failed[0]?.error)).toMatch(/it was truncated/);
    expect(idsIn(bodies)).toEqual([...numbers(5_000), 90_000]);
  });
});

describe('a log', () => {
  it('of CSV goes out as it is, and its header heads every upload', async () => {
    const { push, write, bodies } = await makeWorld();
    const header = 'time,client_ip,status,user_agent,note';
    const row = (id: number) =>
      `${new Date(hourAgo).toISOString()},203.0.113.7,200,"${gpt}",id=${id} ${'x'.repeat(500)}`;
    const people = `${new Date(hourAgo).toISOString()},203.0.113.9,200,Firefox/140.0,x`;
    const rows = numbers(10_000).map(row);
    const path = write('log.csv', `${header}\n${people}\n${rows.join('\n')}\n`);
    expect((await push([path])).sources).toMatchObject([{ uploads: 2, acceptedLines: 10_000 }]);
    expect(bodies.map((body) => body.split('\n', 1)[0])).toEqual([header, header]);
    expect(bodies.flatMap((body) => body.split('\n').slice(1, -1))).toEqual(rows);
    expect(bodies.every((body) => Buffer.byteLength(body) <= 5_000_000)).toBe(true);
  });

  it('that changes from combined to JSON goes on in the other form of the body', async () => {
    const { push, write, bodies } = await makeWorld();
    const path = write('access.log.gz', gzipSync(`203.0.113.7 ${bare('/id=0')}\n${botLines(2, 1)}`));
    expect((await push([path])).sources).toMatchObject([{ uploads: 2, acceptedLines: 3 }]);
    expect(Object.keys(JSON.parse(bodies[1] ?? '').eventos[0])).toEqual([
      'fecha',
      'ua',
      'ruta',
      'estado',
      'ip',
    ]);
    expect(idsIn(bodies)).toEqual(numbers(3));
  });

  it('that is planned and never sent is planned again in its place, as it is read now', async () => {
    const { push, write, bodies } = await makeWorld();
    const lines = `203.0.113.7 ${bare('/id=0')}\nweb-1  | 203.0.113.7 ${bare('/id=1')}\n`;
    const path = write('access.log', lines);
    const env = { AIRANK_BASE_URL: 'http://127.0.0.1:9' };
    const deaf = await push([path], { env, stripPrefix: readStripPrefix(String.raw`\S+ +\| `) });
    expect(deaf.failure).toBeInstanceOf(RetryableError);
    const { sources } = await push([path]);
    expect(sources).toMatchObject([{ uploads: 1, acceptedLines: 1, refused: [], counts: { no_address: 1 } }]);
    expect(idsIn(bodies)).toEqual([0]);
  });
});
