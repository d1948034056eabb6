// Alerts, mail and reports in the configuration.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiWords } from '../../src/alerts/judging/words.ts';
import { parseMailAddress, parseSmtpUrl } from '../../src/config/addresses.ts';
import { alertRuleNames, alertRulesMarkdown } from '../../src/config/alert-rules.ts';
import { contrastOnWhite, parseHexColor, readableColor } from '../../src/config/file-schema.ts';
import { secretsOf } from '../../src/config/secrets-of.ts';
import { packageRoot } from '../../src/core/files.ts';
import { cases } from '../support/cases.ts';
import { faultsOf, fileFaults, good, load } from '../support/config-fixtures.ts';

const slack = { ...good, AIRANK_SLACK_WEBHOOK_URL: 'https://hooks.example.com/abcdefgh' };
const mail = { ...slack, AIRANK_SMTP_URL: 'smtps://mail.example.com', AIRANK_MAIL_FROM: 'a@example.com' };
const alertsOf = (text: string, env: NodeJS.ProcessEnv) => load(env, { 'airank.config.yaml': text }).alerts;

describe('alerts in the configuration', () => {
  it('are all on by default, tell nobody, and are summed up on Mondays', () => {
    const { to, digest, rules } = load(good).alerts;
    expect({ to, digest }).toEqual({ to: [], digest: 'monday' });
    expect(Object.keys(rules)).toEqual(alertRuleNames);
    expect(Object.values(rules).every(({ on }) => on)).toBe(true);
    expect(rules.rank_fell.threshold).toBeUndefined();
    expect(rules.revenue_fell.threshold).toBe(20);
    expect(rules.outcome_in.threshold).toBeUndefined();
  });

  it('take thresholds, switches and channels, each once', () => {
    const text = `alerts:
  to: [AIRANK_SLACK_WEBHOOK_URL, Ana <ana@example.com>, AIRANK_SLACK_WEBHOOK_URL]
  digest: never
  rules: { rank_fell: 7.5, page_lost: false, revenue_fell: true }`;
    const { to, digest, rules } = alertsOf(text, mail);
    expect(to).toEqual(['AIRANK_SLACK_WEBHOOK_URL', 'Ana <ana@example.com>']);
    expect(digest).toBe('never');
    expect(rules).toMatchObject({
      rank_fell: { on: true, threshold: 7.5 },
      page_lost: { on: false },
      revenue_fell: { on: true, threshold: 20 },
      rank_rose: { on: true, threshold: undefined },
    });
  });

  it.each(
    cases(`
    5 => alerts to be a mapping of to, digest and rules, got 5
    { digest: freitag } => alerts.digest to be a day of the week such as monday, or never, got "freitag"
    { rules: { rank_fell: 0 } } => rules.rank_fell to be true or false, or a number of points >= 0.1, got 0
    { rules: { claim_false: 3 } } => rules.claim_false to be true or false, got 3
    { rules: { rank_fel: 3 } } => rules.rank_fel is not a known name. Did you mean rank_fell?
    { too: [] } => alerts.too is not a known name. Did you mean to?
    { to: [AIRANK_SLACK_WEBHOOK] } => alerts.to[0] to be the name of a webhook that is set, => Did you mean AIRANK_SLACK_WEBHOOK_URL?
    { to: [ana@example.com] } => alerts.to[0] to be a webhook, got the mail address => Set AIRANK_SMTP_URL and
  `),
  )('refuse %s', (text, ...messages) => {
    const faults = fileFaults(`alerts: ${text}`, slack);
    expect(faults).toHaveLength(1);
    for (const message of messages) expect(faults[0]).toContain(message);
  });

  it('never repeat an address that was pasted for a name', () => {
    const [fault, ...others] = fileFaults('alerts: { to: ["https://hooks.example.com/secret-path"] }', slack);
    expect(others).toEqual([]);
    expect(fault).not.toMatch(/secret-path/);
    expect(fault).toMatch(/got a web address\. Webhooks: AIRANK_SLACK_WEBHOOK_URL\.$/);
  });

  it('understand the words that the docs name, and no others', () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'alerts.md'), 'utf8');
    const table = page.slice(page.indexOf('| is | words')).split('\n\n')[0] ?? '';
    const named = [...table.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    expect(named.sort()).toEqual(Object.values(apiWords).flat().sort());
  });

  // After a change of the table: npm run docs
  it('have a line each in the table of the docs, which shows them as they are', async () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'alerts.md'), 'utf8');
    const table = `<!-- alert rules -->\n${alertRulesMarkdown()}<!-- /alert rules -->`;
    const shown = page.replace(/<!-- alert rules -->[\s\S]*<!-- \/alert rules -->/, () => table);
    await expect(shown).toMatchFileSnapshot('../../docs/alerts.md');
    expect(alertRulesMarkdown().trimEnd().split('\n')).toHaveLength(alertRuleNames.length + 2);
  });
});

const sender = { ...good, AIRANK_MAIL_FROM: 'Agency <reports@example.com>' };

describe('the mail server', () => {
  it.each([
    ['smtp://mail.example.com', 587, 'upgrade'],
    ['smtps://mail.example.com', 465, 'from_start'],
    ['smtp://127.0.0.1:2525', 2525, 'if_offered'],
    ['smtp://localhost', 587, 'if_offered'],
    ['smtp://127.0.0.1.example.com', 587, 'upgrade'],
  ])('reads %s', (text, port, tls) => {
    expect(parseSmtpUrl(text)).toMatchObject({ ok: true, value: { port, tls } });
  });

  it('is a secret with its password, in the forms in which SMTP sends it', () => {
    const config = load({ ...sender, AIRANK_SMTP_URL: 'smtp://me:p%40ss-word@mail.example.com:587' });
    expect(config.smtp?.from).toBe('Agency <reports@example.com>');
    expect(JSON.stringify(config)).not.toContain('p@ss-word');
    const plain = Buffer.from('\0me\0p@ss-word').toString('base64');
    expect(secretsOf(config)).toEqual(expect.arrayContaining(['p@ss-word', plain]));
  });

  it.each([
    'http://me:s3cret-pass@mail.example.com',
    'smtp://:s3cret-pass@mail.example.com',
    'smtp://me:s3cret-pass%@mail.example.com',
    'smtp://me:s3cret-pass@',
  ])('refuses %s without repeating it', (url) => {
    const faults = faultsOf({ ...sender, AIRANK_SMTP_URL: url });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^Expected AIRANK_SMTP_URL to be an smtp:\/\/ or smtps:\/\/ address, got /);
    expect(faults[0]).not.toContain('s3cret');
  });

  it('needs a sender', () => {
    expect(faultsOf({ ...good, AIRANK_SMTP_URL: 'smtp://localhost' })).toEqual([
      'Expected AIRANK_MAIL_FROM to be set to the sender of mails, because AIRANK_SMTP_URL is set, got nothing',
    ]);
    expect(load(sender).smtp).toBeUndefined();
  });
});

describe('a mail address', () => {
  it.each([
    ['a@example.com', { name: '', address: 'a@example.com' }],
    [' Café "Sol" <a.b+c@sub.example.com> ', { name: 'Café "Sol"', address: 'a.b+c@sub.example.com' }],
    ['"Agency, Inc." <a@example.com>', { name: 'Agency, Inc.', address: 'a@example.com' }],
  ])('is read from %j', (text, address) => {
    expect(parseMailAddress(text)).toEqual(address);
  });

  it.each(['', '@b', 'a b@c', 'a@b\nBcc: c@d', 'x\r\ny <a@b>', 'a@b>', 'ñ@b'])('is not %j', (text) => {
    expect(parseMailAddress(text)).toBeUndefined();
    if (text !== '')
      expect(faultsOf({ ...good, AIRANK_MAIL_FROM: text })[0]).toMatch(/^Expected AIRANK_MAIL_FROM to be a/);
  });
});

const read = (text: string) => load(good, { 'airank.config.yaml': text });

describe('whose name reports bear, and who gets them', () => {
  it('is read from the file, with the logo beside it', () => {
    const { agency, report } = read(`
agency:
  name: Agencia Vértice
  logo: logo.png
  colors: { accent: '#075', text: '#222222' }
  footer: Calle Mayor 1
report:
  to: [reports@example.com]
  clients:
    c7: [María <maria@example.com>]
    agency/8: [a@example.com, b@example.com]
`);
    const colors = { accentColor: '#007755', textColor: '#222222' };
    const logo = '/work/dir/logo.png';
    expect(agency).toEqual({ name: 'Agencia Vértice', logo, ...colors, footer: 'Calle Mayor 1' });
    expect(report.to).toEqual(['reports@example.com']);
    expect(report.clients['c7']).toEqual(['María <maria@example.com>']);
    expect(report.clients['constructor']).toBeUndefined();
  });

  it('has defaults that can be read, and names the nearest darker colour of one that cannot', () => {
    const { agency, report } = load(good);
    expect(contrastOnWhite(agency.accentColor)).toBeGreaterThan(4.5);
    expect(contrastOnWhite(agency.textColor)).toBeGreaterThan(4.5);
    expect(report).toEqual({ to: [], clients: {}, notes: false });
    expect(parseHexColor('#FC0')).toBe('#ffcc00');
    expect(parseHexColor('#12345')).toBeUndefined();
    expect(contrastOnWhite(readableColor('#ffcc00'))).toBeGreaterThanOrEqual(4.5);
    expect(readableColor('#000000')).toBe('#000000');
  });

  it.each(
    cases(`
  agency: { colors: { accent: red } } => agency.colors.accent to be a colour such as #0a5c8f, got "red"
  agency: { colors: { accent: '#ffcc00' } } => to be a colour that can be read on white, with a contrast of 4.5 or more, got #ffcc00, with 1.51. #8e7200 is the nearest darker one.
  agency: { colours: {} } => agency.colours is not a known name. Did you mean colors?
  agency: { colors: { acent: x } } => Did you mean accent?
  report: { to: [nobody] } => report.to[0] to be a mail address such as
  report: { clients: { c7: [] } } => report.clients.c7 to be at least one mail address
  report: { too: [] } => Did you mean to?
  agency: 7 => agency to be a mapping of name, logo, colors and footer, got 7
`),
  )('refuses %s', (text, fault) => {
    const faults = fileFaults(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});
