// Visits of crawlers: each line that the service took is counted once, whatever was sent again, refused, left or killed.
// Pushes that die at any step: writes-kills.test.ts.
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forgetClient } from '../../src/forget/forget-client.ts';
import { settleWrite, skipWrite } from '../../src/writes/store/write-states.ts';
import { answers, botLines, threeUploads, usePushWorld } from '../support/push-logs-in-process.ts';

const { database, makeWorld } = usePushWorld();

/** Finds the account that pushed last. */
const accountOf = async () =>
  (await database.lines('select account from sync.write_source order by id desc limit 1'))[0] ?? '';

const numberOf = async (text: string) => Number((await database.lines(text, await accountOf()))[0]);
const visits = () => numberOf('select coalesce(sum(visits), 0) from sync.crawler_visit where account = $1');
const waiting = () => numberOf('select count(*) from sync.write where account = $1 and visits is not null');

/** The upload of the last push, which has no answer. */
async function lastUpload() {
  const account = await accountOf();
  const [write] = await database.rows<{ id: number; attempts: number }>(
    'select id, attempts from sync.write where account = $1',
    account,
  );
  if (write === undefined) throw new Error('nothing was sent');
  return { account, id: write.id, attempt: write.attempts };
}
const taken = { status: 'accepted', httpStatus: 202, answer: '{}' } as const;

/** As nginx writes them with escape=json, at a time of a day before this one. */
function line(host: string, agent: string, status: number, time: Date): string {
  const request = { remote_addr: '203.0.113.7', http_host: host, request_uri: '/p', status };
  return `${JSON.stringify({ time_iso8601: time.toISOString(), ...request, http_user_agent: agent })}\n`;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const dateOf = (time: Date) => time.toISOString().slice(0, 10);

describe('visits of crawlers', () => {
  it('are counted by host, bot, day and status, and never by address or path', async () => {
    const { push, write } = await makeWorld();
    const [old, young] = [daysAgo(3), daysAgo(2)];
    const path = write(
      'access.log',
      [
        line('www.north.example:443', 'GPTBot/1.2', 200, old),
        line('WWW.north.example', 'GPTBot/1.2', 200, old),
        line('www.north.example', 'GPTBot/1.2', 403, old),
        line('shop.north.example', 'ClaudeBot/1.0', 200, young),
        line('192.0.2.1', 'ClaudeBot/1.0', 200, young),
        line('shop.north.example', 'Firefox/140.0', 200, young),
      ].join(''),
    );
    await push([path]);
    const shown = `select client_key, host, bot, visit_date, http_status, visit_count from bi.crawler_visits
        where account = $1 order by visit_date, host nulls first, http_status`;
    const key = `${await accountOf()}/`;
    expect(await database.lines(shown, await accountOf())).toEqual([
      `${key} www.north.example GPTBot ${dateOf(old)} 200 2`,
      `${key} www.north.example GPTBot ${dateOf(old)} 403 1`,
      `${key} - ClaudeBot ${dateOf(young)} 200 1`,
      `${key} shop.north.example ClaudeBot ${dateOf(young)} 200 1`,
    ]);
  });

  it('add up over pushes, and a log that is given again brings none', async () => {
    const { push, write } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    await push([path]);
    expect(await visits()).toBe(12_000);
    await push([path]);
    appendFileSync(path, botLines(2, threeUploads));
    await push([path]);
    expect(await visits()).toBe(12_002);
    expect(await waiting()).toBe(0);
  });

  it.each([
    ['of refused lines are not counted, until these are taken', 'resend', 12_000],
    ['of refused lines that are left are never counted', 'skip', 7_000],
  ] as const)('%s', async (_, refused, counted) => {
    const { push, write, plan } = await makeWorld();
    const path = write('access.log', botLines(threeUploads));
    plan(answers(400));
    await push([path]);
    expect(await visits()).toBe(7_000);
    await push([path], { refused });
    expect([await visits(), await waiting()]).toEqual([counted, 0]);
  });

  it('of an upload without an answer are counted when it is left, and not again when its answer comes', async () => {
    const { push, write, plan } = await makeWorld();
    const path = write('access.log', botLines(10));
    plan(answers(503));
    await push([path]);
    const upload = await lastUpload();
    expect(await skipWrite(database.db, upload)).toBe(true);
    expect(await skipWrite(database.db, upload)).toBe(false);
    expect(await visits()).toBe(10);
    expect(await settleWrite(database.db, upload, taken)).toBe(true);
    expect(await visits()).toBe(10);
  });

  it('are stored with the outcome of their upload, or neither is', async () => {
    const { push, write, plan } = await makeWorld();
    plan(answers(503));
    await push([write('access.log', botLines(10))]);
    const { pool } = database;
    const upload = await lastUpload();
    await pool.query(`create function fail_for_test() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger fail after insert on sync.crawler_visit execute function fail_for_test()`);
    try {
      await expect(settleWrite(database.db, upload, taken)).rejects.toThrow('no room');
      await expect(skipWrite(database.db, upload)).rejects.toThrow('no room');
    } finally {
      await pool.query('drop function fail_for_test() cascade');
    }
    const left = 'select status, skipped_at from sync.write where account = $1';
    expect(await database.lines(left, upload.account)).toEqual(['unknown -']);
    expect([await visits(), await waiting()]).toEqual([0, 1]);
    expect(await settleWrite(database.db, upload, taken)).toBe(true);
    expect(await settleWrite(database.db, upload, taken)).toBe(false);
    expect([await visits(), await waiting()]).toEqual([10, 0]);
  });

  it('of hosts that bear the name of a forgotten client go, also those not counted yet', async () => {
    const { push, write, plan } = await makeWorld();
    await push([write('one.log', line('www.northwind.example', 'GPTBot/1.2', 200, daysAgo(2)))]);
    const account = await accountOf();
    const two = ['bot.northwind.example', 'other.example'].map((host) =>
      line(host, 'GPTBot/1.2', 200, daysAgo(1)),
    );
    const path = write('two.log', two.join(''));
    plan(answers(503));
    await push([path]);
    // A name that is a word of the tally's own changes nothing else.
    const names = ['Northwind', 'bot'];
    await forgetClient(database.pool, database.db, {
      ...{ account, clientId: 'client-7', names, isText: false },
      sleep: async () => undefined,
    });
    expect(await visits()).toBe(0);
    await database.pool.query(`update sync.write set skipped_at = null where account = $1`, [account]);
    const counted = 'select id from sync.write where account = $1 and visits is not null';
    const [id] = await database.lines(counted, account);
    await skipWrite(database.db, { account, id: Number(id) });
    expect(await visits()).toBe(1);
  });
});
