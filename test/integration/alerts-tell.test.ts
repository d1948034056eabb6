// Who is told of alerts, from the configuration to the channel: once, also when a channel is down or two processes look.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { day as dayWritten } from '../../src/alerts/judging/words.ts';
import { addDays, runDateIn } from '../../src/core/run-date.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishDay } from '../support/alert-world.ts';
import { airank } from '../support/fake-terminal.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();
let hook: LoopbackServer;
let mail: SmtpServer;
/** Bodies that the webhooks were sent, with the path. */
const bodies: Record<string, unknown>[] = [];
/** Answered by the webhooks. */
let status = 200;

const configure = (text: string) => writeFile(join(folder, 'airank.config.yaml'), text);
const run = (...args: string[]) =>
  airank(args, {
    cwd: folder,
    env: {
      DATABASE_URL: database.url,
      AIRANK_WEBHOOK_URL: hook.url,
      AIRANK_SLACK_WEBHOOK_URL: `${hook.url}/slack/secret-path`,
      AIRANK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      AIRANK_MAIL_FROM: 'Agency <alerts@example.com>',
    },
  });
/** Looks for alerts, and says what was found and sent. */
const check = async () => (await run('alerts', 'check')).stdout;
const nothing = '0 new alerts, 0 messages sent\n';

const today = runDateIn('UTC', new Date());
const day = (after: number) => addDays(today, after);

async function publish(after: number, score: number, more: object = {}): Promise<void> {
  // 60 for two months, and before that now and then 61, so that it is known what is usual.
  const ranks = Array.from({ length: 320 }, (_, at) => {
    const usual = 60 + (at < 260 ? Math.floor(at / 28) % 2 : 0);
    return [day(after - 319 + at), at === 319 ? score : usual] as const;
  });
  await publishDay(database.db, {
    runDate: day(after),
    ranks,
    ownPages: ['https://siete.example/a'],
    ...more,
  });
}

const retryNow = () =>
  database.pool.query(`update sync.delivery set attempted_at = attempted_at - interval '2 hours'`);

beforeAll(async () => {
  mail = await startSmtpServer();
  hook = await startLoopbackServer(async (request, response) => {
    bodies.push({ path: request.url, ...((await json(request)) as object) });
    response.writeHead(status).end();
  });
  await configure(
    'alerts:\n  to: [AIRANK_WEBHOOK_URL, AIRANK_SLACK_WEBHOOK_URL, ana@example.com]\n  digest: never\n  rules: { rank_fell: 5, rank_rose: 5 }\n',
  );
  await publish(-5, 60);
  await refreshMapping(database.db);
}, 60_000);

afterAll(async () => {
  await Promise.all([hook.close(), mail.close()]);
});

describe('alerts.to', () => {
  it('hears nothing of a first load', async () => {
    expect((await run('alerts')).stdout).toMatch(/^No alerts yet\..* to check now: airank alerts check$/m);
    const said = await run('alerts', 'check');
    expect(said).toMatchObject({ exitCode: 0, stderr: '', stdout: '0 new alerts, 0 messages sent\n' });
    expect(bodies).toEqual([]);
    expect((await run('alerts')).stdout).toBe(
      `No alerts since the rules started, with the data of ${day(-5)}. They are checked after each sync.\n`,
    );
  });

  it('hears of an alert once, in the form of each channel, with its values', async () => {
    await publish(-4, 50, { verdict: 'falsa', result: { observado: 1.5, lectura: '<b>&\nmejor' } });
    const said = await run('alerts', 'check', '--json');
    expect(said).toMatchObject({ exitCode: 0, stderr: '3 new alerts: airank alerts lists them\n' });
    expect(JSON.parse(said.stdout)).toEqual({ raised: 3, messages_sent: 3, not_told: [], not_checked: [] });
    const [generic, slack] = [...bodies].sort((a, b) => String(a['path']).localeCompare(String(b['path'])));
    const title = 'AI Rank fell from 60 to 50 in 7 days, at least the configured 5 points (method v2)';
    expect(generic).toMatchObject({
      source: 'airank-warehouse',
      kind: 'alerts',
      alerts: [
        {
          client_name: 'Casa Siete',
          rule: 'rank_fell',
          alert_date: day(-4),
          title,
          before_value: 60,
          after_value: 50,
          value_unit: 'points',
        },
        { rule: 'claim_false' },
        { rule: 'outcome_in' },
      ],
    });
    expect(Object.keys(slack ?? {})).toEqual(['path', 'text']);
    const lines = String(slack?.['text']).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`⚠ Casa Siete: ${title} (${dayWritten(day(-4), 'en')})`);
    expect(lines[2]).toContain('&lt;b&gt;&amp; mejor');
    expect(mail.mails).toMatchObject([{ to: ['ana@example.com'] }]);
    expect(mail.mails[0]?.source.replace(/\r?\n /g, ' ')).toMatch(
      /^Subject: Casa Siete: AI Rank fell from 60 to 50 in 7 days, .* and 2 alerts more\r?$/m,
    );
    await run('alerts', 'check');
    expect([bodies.length, mail.mails.length]).toEqual([2, 1]);
  });

  it('is tried again by the channel that did not take it, and the others are not told twice', async () => {
    bodies.length = 0;
    status = 500;
    await publish(-3, 44);
    const said = await run('alerts', 'check');
    expect(said.exitCode).toBe(1);
    expect(said.stderr).toMatch(
      /^Could not send alerts to AIRANK_WEBHOOK_URL, trying again later: it answered 500$/m,
    );
    expect(said.stderr).not.toMatch(/secret-path/);
    expect(mail.mails).toHaveLength(2);
    status = 200;
    expect(await check()).toBe(nothing);
    await retryNow();
    expect(await check()).toBe('0 new alerts, 2 messages sent\n');
    await retryNow();
    expect(await check()).toBe(nothing);
    expect([bodies.length, mail.mails.length]).toEqual([4, 2]);
  });

  it('hears once when two processes look at the same time', async () => {
    bodies.length = 0;
    await publish(-2, 38);
    const [one, two] = await Promise.all([run('alerts', 'check'), run('alerts', 'check')]);
    expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
    expect([one.stdout, two.stdout].sort()).toEqual([nothing, '1 new alert, 3 messages sent\n']);
    expect(bodies).toHaveLength(2);
    expect((await run('status')).stdout).toMatch(/^! 1 alert is open: airank alerts --open$/m);
  });

  it('hears nothing of a rule that is muted, or off, and again later', async () => {
    bodies.length = 0;
    expect((await run('alerts', 'mute', 'rank_fell', '--client', '7', '--until', day(9))).stdout).toBe(
      `rank_fell is muted for client 7 of default until ${day(9)}\n`,
    );
    await publish(-1, 32);
    expect(await check()).toBe('1 new alert, 0 messages sent\n');
    expect((await run('alerts')).stdout).toMatch(
      new RegExp(`muted: rank_fell of client 7 of default until ${day(9)}\n$`),
    );
    const [muted] = JSON.parse((await run('alerts', '--open', '--json')).stdout) as object[];
    expect(muted).toMatchObject({ is_muted: true, told_at: null, after_value: 32, state: 'open' });
    expect((await run('alerts', 'unmute', 'rank_fell', '--client', '7')).exitCode).toBe(0);
    await publish(0, 26);
    await configure('alerts: { to: [AIRANK_WEBHOOK_URL], digest: never, rules: { rank_fell: false } }');
    expect(await check()).toBe(nothing);
    await configure('alerts: { to: [AIRANK_WEBHOOK_URL], digest: never }');
    // A rule that is switched on begins anew: what is so now is no news.
    expect(await check()).toBe(nothing);
    expect(bodies).toEqual([]);
  });
});

describe('airank alerts', () => {
  it('lists what is open until somebody has seen it', async () => {
    await publish(0, 26, { bot: 'bloqueado' });
    expect(await check()).toBe('1 new alert, 1 message sent\n');
    const open = JSON.parse((await run('alerts', '--open', '--json')).stdout) as { alert_id: number }[];
    expect(open.length).toBeGreaterThan(0);
    for (const { alert_id } of open)
      expect((await run('alerts', 'ack', String(alert_id))).stdout).toBe(
        `Alert ${alert_id} is acknowledged\n`,
      );
    expect((await run('alerts', '--open')).stdout).toBe('No alert is open.\n');
    expect((await run('status')).stdout).not.toMatch(/airank alerts/);
    expect((await run('alerts')).stdout).toMatch(/ acknowledged +The site refuses GPTBot/);
  });

  it.each([
    [['tests'], /^Expected airank alerts, or airank alerts check, .* got airank alerts tests\n$/],
    [
      ['mute', 'rank_fel'],
      /^Expected <rule> to be a rule of alerts, got "rank_fel"\. Did you mean rank_fell\?\n$/,
    ],
    [['mute', 'rank_fell', '--until', 'x'], /^Expected --until to be a date such as 2026-04-03, got "x"\n$/],
    [['mute', 'rank_fell', '--until', '2020-01-01'], /^Expected --until to be after today \(/],
    [['unmute', 'page_lost'], /^page_lost is not muted for account default/],
    [
      ['ack', '99999'],
      /^Expected <id> to be the number of an alert, got "99999"\. airank alerts shows them\n$/,
    ],
  ])('refuses %j as wrong usage', async (args, message) => {
    const said = await run('alerts', ...args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
  });
});

describe('the weekly summary', () => {
  it('comes once to each channel on its day, with movers and the alerts of the week', async () => {
    bodies.length = 0;
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
      .format(new Date(`${today}T00:00:00Z`))
      .toLowerCase();
    await configure(
      `alerts: { to: [AIRANK_WEBHOOK_URL], digest: ${weekday}, rules: { rank_fell: 5, rank_rose: 5 } }`,
    );
    await database.pool.query(`update sync.alert set raised_at = raised_at - interval '1 day'`);
    expect(await check()).toBe('0 new alerts, 1 message sent\n');
    expect(bodies).toMatchObject([
      {
        kind: 'digest',
        account: 'default',
        digest_date: today,
        movers: [{ client_id: '7', client_name: 'Casa Siete', score: 26, change_28d: -34 }],
      },
    ]);
    expect(String(bodies[0]?.['text'])).toMatch(/Casa Siete: 26\.0 \(-34\.0 in 28 days\)\n\d+ alerts\n/);
    await database.pool.query(`update sync.delivery set attempted_at = attempted_at - interval '2 hours'`);
    expect(await check()).toBe(nothing);
  });
});
