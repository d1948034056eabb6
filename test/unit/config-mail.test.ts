import { describe, expect, it } from 'vitest';
import { parseMailAddress, parseSmtpUrl } from '../../src/config/addresses.ts';
import { secretsOf } from '../../src/config/secrets-of.ts';
import { faultsOf, good, load } from '../support/config-fixtures.ts';

const mail = { ...good, AIRANK_MAIL_FROM: 'Agency <reports@example.com>' };

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
    const config = load({ ...mail, AIRANK_SMTP_URL: 'smtp://me:p%40ss-word@mail.example.com:587' });
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
    const faults = faultsOf({ ...mail, AIRANK_SMTP_URL: url });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^Expected AIRANK_SMTP_URL to be an smtp:\/\/ or smtps:\/\/ address, got /);
    expect(faults[0]).not.toContain('s3cret');
  });

  it('says how a password is written that holds a special character', () => {
    expect(faultsOf({ ...mail, AIRANK_SMTP_URL: 'smtp://me:100%@mail.example.com' }).join()).toContain(
      'a broken percent sign in it. Percent-encode special characters in user and password',
    );
  });

  it('needs a sender', () => {
    expect(faultsOf({ ...good, AIRANK_SMTP_URL: 'smtp://localhost' })).toEqual([
      'Expected AIRANK_MAIL_FROM to be set to the sender of mails, because AIRANK_SMTP_URL is set, got nothing',
    ]);
    expect(load(mail).smtp).toBeUndefined();
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
