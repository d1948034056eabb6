// Checks what of a line is sent, in each of the three formats, and what is not.
import { describe, expect, it } from 'vitest';
import { anonymizeAddress, readTime } from '../../../src/writes/logs/line-values.ts';
import { type LineOptions, readCsvHeader, readLine } from '../../../src/writes/logs/read-line.ts';

const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const rest = `[24/Nov/2026:08:00:01 +0100] "GET /precios?ref=a HTTP/1.1" 200 5120 "-" "${agent}"`;
const plain = `203.0.113.7 - - ${rest}`;
const atMs = Date.parse('2026-11-24T07:00:01Z');

function read(line: string, over: Partial<LineOptions> = {}) {
  const reading = readLine(line, { anonymizeIp: false, stripPrefix: undefined, csv: undefined, ...over });
  return reading.kind === 'request' ? { agent: reading.agent, ...reading.read() } : reading;
}

function csv(header: string) {
  const found = readCsvHeader(header);
  if (found === undefined) throw new Error(`no header: ${header}`);
  return found;
}

describe('a combined line', () => {
  it('goes out as it is', () => {
    const got = { kind: 'fine', form: 'combined', text: plain, agent, atMs, status: 200, host: '' };
    expect(read(plain)).toEqual(got);
  });

  it.each([
    ['the user of the site', `203.0.113.7 - ana ${rest}`],
    ['a user with a blank', `203.0.113.7 - ana maria ${rest}`],
    ['what follows the user agent', `203.0.113.7 - - ${rest} "198.51.100.2" sid=secreto`],
    ['a port', `203.0.113.7:50112 - - ${rest}`],
  ])('goes out without %s', (_, line) => {
    expect(read(line)).toMatchObject({ kind: 'fine', text: plain });
  });

  it('cannot become two lines', () => {
    const text = expect.stringContaining('ref=\\x0D\\xE2\\x80\\xA8a');
    expect(read(plain.replace('ref=a', 'ref=\r\u2028a'))).toMatchObject({ text });
  });

  it.each([
    ['2026-11-24T07:00:04.123456789Z stdout F ', '2026-11-24T07:00:04.123456789Z stdout F 203.0.113.7 - -'],
    ['www.example.com:443 ', 'www.example.com:443 203.0.113.7 - -'],
    ['10.0.0.1 ', '10.0.0.1 203.0.113.7 - -'],
  ])('has no address where "%s" stands before it, and has one when that is stripped', (prefix, got) => {
    const line = `${prefix}203.0.113.7 - - ${rest}`;
    expect(read(line)).toMatchObject({ kind: 'no address', got });
    const stripPrefix = new RegExp(`^(?:${prefix.replaceAll(/[|.]/g, '\\$&')})`);
    expect(read(line, { stripPrefix })).toMatchObject({ text: plain });
  });

  it.each([
    ['a name in place of an address', `crawl-7.openai.com - - ${rest}`, 'no address'],
    ['no user agent, as common has none', `203.0.113.7 - - ${rest.split(' "-"')[0]}`, 'unreadable'],
    ['a day that is none', `203.0.113.7 - - ${rest.replace('24/Nov', '31/Feb')}`, 'unreadable'],
  ])('with %s is not sent', (_, line, kind) => {
    expect(read(line)).toMatchObject({ kind });
  });

  it('has quotes in its agent, escaped or not, and no referrer as Traefik writes it', () => {
    const quoted = `203.0.113.7 - - ${rest.replace(agent, 'GPTBot \\"x\\" y')}`;
    expect(read(quoted)).toMatchObject({ agent: 'GPTBot \\"x\\" y', text: quoted });
    expect(read(quoted.replaceAll('\\"', '"'))).toMatchObject({ agent: 'GPTBot "x" y' });
    const bare = `203.0.113.7 - - ${rest.replace('"-"', '-')}`;
    expect(read(`${bare} 12 "router" 3ms`)).toMatchObject({ agent, text: bare });
  });
});

describe('a line of JSON', () => {
  const event = { fecha: '2026-11-24T07:00:01.000Z', ua: agent, ruta: '/precios', estado: 200 };

  it.each([
    [
      'nginx, with cookies, users and query strings',
      {
        ...{ time_iso8601: '2026-11-24T08:00:01+01:00', remote_addr: '203.0.113.7', remote_user: 'ana' },
        ...{ request: 'GET /precios?token=secreto HTTP/1.1', status: '200', http_user_agent: agent },
        ...{ http_cookie: 'sid=secreto', http_x_user: 'ana@example.com', request_time: '0.070' },
        ...{ http_host: 'WWW.Example.com:443', http_authorization: 'Basic c2VjcmV0bw==' },
      },
      { ...event, ms: 70, ip: '203.0.113.7' },
      'www.example.com',
    ],
    [
      'Caddy',
      {
        ...{ ts: 1_795_503_601, status: 200, duration: 0.0015, user_id: 'ana', size: 3 },
        request: {
          ...{ client_ip: '203.0.113.7', host: 'example.com', uri: '/precios?token=secreto' },
          headers: { 'User-Agent': [agent], Cookie: ['sid=secreto'] },
        },
      },
      { ...event, ms: 1.5, ip: '203.0.113.7' },
      'example.com',
    ],
    [
      'Traefik',
      {
        ...{ StartUTC: '2026-11-24T07:00:01.0Z', ClientHost: '203.0.113.7', ClientUsername: 'ana' },
        ...{ RequestPath: '/precios', DownstreamStatus: 200, Duration: 2_000_000, request_Cookie: 'secreto' },
        ...{ RequestHost: 'example.com', 'request_User-Agent': agent },
      },
      { ...event, ms: 2, ip: '203.0.113.7' },
      'example.com',
    ],
    [
      'Cloudflare',
      {
        ...{
          EdgeStartTimestamp: 1_795_503_601_000_000_000,
          ClientIP: '2001:db8::7',
          EdgeResponseStatus: 200,
        },
        ...{ ClientRequestURI: 'https://example.com/precios#a', ClientRequestHost: 'example.com' },
        ...{ ClientRequestUserAgent: agent, Cookies: 'secreto', ClientRequestReferer: 'https://x/?u=ana' },
      },
      { ...event, ip: '2001:db8::7' },
      'example.com',
    ],
  ])('of %s goes out as the six fields and nothing else', (_, line, sent, host) => {
    const got = read(JSON.stringify(line));
    expect(got).toMatchObject({ kind: 'fine', form: 'json', atMs, status: 200, host });
    const text = got.kind === 'fine' ? got.text : '';
    expect(JSON.parse(text)).toEqual(sent);
    expect(text).not.toMatch(/secret|ana|\?/);
  });

  it('without a user agent is not sent, and its fields are shown', () => {
    const line = JSON.stringify({ log: `203.0.113.7 - - ${rest}`, stream: 'stdout' });
    expect(read(line)).toMatchObject({ kind: 'unreadable', names: ['log', 'stream'] });
  });

  it.each([
    ['path', { uri: undefined }, 'unreadable'],
    ['time', { ts: undefined }, 'unreadable'],
    ['status', { status: undefined }, 'unreadable'],
    ['address', { remote_addr: 'web-1' }, 'no address'],
  ])('without %s is not sent', (_, lacking, kind) => {
    const whole = { remote_addr: '203.0.113.7', uri: '/', ts: 1_795_503_601, status: 200, ua: agent };
    expect(read(JSON.stringify(whole))).toMatchObject({ kind: 'fine' });
    expect(read(JSON.stringify({ ...whole, ...lacking }))).toMatchObject({ kind });
  });
});

describe('a row of CSV', () => {
  const header = csv('time;remote_addr;"User Agent";status;host');
  const row = `2026-11-24T07:00:01Z;203.0.113.7;"${agent.replace(';', ' or ""a"";')}";200;example.com`;

  it('goes out as it is, with time, status and host read', () => {
    expect(read(row, { csv: header })).toMatchObject({
      ...{ kind: 'fine', form: 'csv', text: row, atMs, status: 200, host: 'example.com' },
    });
  });

  it('has an address to be anonymised, and of a list the first', () => {
    const listed = row.replace('203.0.113.7', '"203.0.113.7, 10.0.0.1"');
    const first = row.replace('203.0.113.7', '"203.0.113.7"');
    expect(read(listed, { csv: header })).toMatchObject({ text: first });
    const anonymous = read(row, { csv: header, anonymizeIp: true });
    expect(anonymous).toMatchObject({ text: row.replace('203.0.113.7', '203.0.113.0') });
    expect(read(row.replace('203.0.113.7', 'web-1'), { csv: header })).toMatchObject({ kind: 'no address' });
  });

  it('that repeats the header, or goes on in the next line, is not sent', () => {
    expect(read(header.text, { csv: header })).toEqual({ kind: 'blank' });
    const begun = read('2026-11-24T07:00:01Z;203.0.113.7;"GPTBot', { csv: header });
    expect(begun).toMatchObject({ kind: 'unreadable' });
  });

  it.each(['Starting up, please wait', plain])('has a header, which this is not: %s', (line) => {
    expect(readCsvHeader(line)).toBeUndefined();
  });
});

it.each([
  ['192.0.2.77', '192.0.2.0'],
  ['2001:db8:1:2::3', '2001:db8:1::'],
  ['1:2:3:4:5:6:7:8', '1:2:3::'],
  ['::ffff:192.0.2.77', '::ffff:192.0.2.0'],
  ['fe80::1%eth0', 'fe80::'],
])('an address is cut short: %s', (address, short) => {
  expect(anonymizeAddress(address)).toBe(short);
  const anonymous = read(`${address} - - ${rest}`, { anonymizeIp: true });
  if (!address.includes('%')) expect(anonymous).toMatchObject({ text: `${short} - - ${rest}` });
});

it.each([
  ['2026-11-24T07:00:01Z', atMs],
  ['2026-11-24 08:00:01.000 +01:00', atMs],
  ['[24/Nov/2026:07:00:01 +0000]', atMs],
  ['1795503601', atMs],
  [1_795_503_601_000_000, atMs],
  ['2026-02-31T00:00:00Z', undefined],
  ['yesterday', undefined],
])('a time is read: %s', (text, read) => {
  expect(readTime(text)).toBe(read);
});
