import { describe, expect, test } from 'vitest';
import { combinedReader, isSendable, writeCombined } from '../../../src/writes/logs/combined.ts';
import { findFormat } from '../../../src/writes/logs/find-format.ts';
import { combinedLine, eventOf, robot } from './log-world.ts';

const reader = combinedReader('combined');

describe('a line in combined format', () => {
  test('tells all of its request, in the zone of the log', () => {
    expect(reader.read(combinedLine(1))).toEqual({
      kind: 'event',
      event: {
        at: new Date('2026-04-03T08:00:00Z'),
        zoneMinutes: 120,
        host: null,
        ip: '192.0.2.7',
        method: 'GET',
        path: '/page/1?q=a',
        protocol: 'HTTP/1.1',
        status: 200,
        bytes: 5120,
        referrer: null,
        userAgent: robot,
        durationMs: null,
      },
      combined: combinedLine(1),
    });
  });

  test.each([
    ['\\"quoted\\"', '"quoted"'],
    ['\\x22quoted\\x22', '"quoted"'],
    ['back\\\\slash', 'back\\slash'],
    ['espa\\xC3\\xB1a', 'españa'],
    ['a\\tb', 'a\tb'],
  ])('has its escapes read: %s', (written, meant) => {
    expect(eventOf(reader, combinedLine(1, written)).userAgent).toBe(meant);
  });

  test('has a user agent with quotes that the server did not escape', () => {
    expect(eventOf(reader, combinedLine(1, 'say "hello" Bot')).userAgent).toBe('say "hello" Bot');
  });

  test('is sent without the user of the site and without what follows the user agent', () => {
    const line = `${combinedLine(1).replace(' - - ', ' - maria ')} "198.51.100.9"`;
    const reading = reader.read(line);
    expect(isSendable(reading.kind === 'event' ? (reading.combined ?? '') : '')).toBe(false);
    expect(writeCombined(eventOf(reader, line))).toBe(combinedLine(1));
    expect(reader.read(`${combinedLine(1)} "198.51.100.9"`)).toMatchObject({ combined: combinedLine(1) });
  });

  test.each([
    ['a control character', combinedLine(1, 'a\u001bb')],
    ['a line separator', combinedLine(1, 'a\u2028b')],
    ['a blank in its path', combinedLine(1).replace('/page/1', '/page 1')],
    ['another protocol', combinedLine(1).replace('HTTP/1.1', 'HTTP/1.1\\"x')],
    ['an address that is none', combinedLine(1).replace('192.0.2.7', '192.0.2.7\u00a0')],
  ])('is written again where it has %s', (_, line) => {
    expect(isSendable(combinedLine(1, 'say \\"hi\\" \\x22'))).toBe(true);
    expect(isSendable(line)).toBe(false);
    expect(isSendable(writeCombined(eventOf(reader, line)))).toBe(true);
  });

  test('has a referrer without quotes where there is none', () => {
    const line = `${combinedLine(1).replace('5120 "-"', '5120 -')} 262 "router" 2ms`;
    expect(eventOf(reader, line)).toMatchObject({ referrer: null, userAgent: robot });
    expect(writeCombined(eventOf(reader, line))).toBe(combinedLine(1));
  });

  test('without a request line has the method -', () => {
    const line = combinedLine(1).replace(/"GET [^"]*"/, '"\\x16\\x03\\x01"');
    expect(eventOf(reader, line)).toMatchObject({ method: '-', status: 200 });
  });

  test.each([
    ['no time', combinedLine(1).replace(/\[.*\]/, '')],
    ['a day that is none', combinedLine(1, robot, '31/Feb/2026')],
    ['a referrer and no user agent', combinedLine(1).replace(/ "[^"]*"$/, '')],
    ['a request without an end', combinedLine(1).slice(0, 70)],
    ['no status', combinedLine(1).replace(' 200 ', ' ')],
    ['a host before the address', `www.example.com:443 ${combinedLine(1)}`],
  ])('is unreadable with %s', (_, line) => {
    expect(reader.read(line)).toMatchObject({ kind: 'unreadable' });
  });

  test('is the same line when it is written again', () => {
    for (const zone of ['+0200', '-0330', '+0000']) {
      const line = combinedLine(7, 'say \\"hi\\"').replace('+0200', zone);
      expect(writeCombined(eventOf(reader, line))).toBe(line);
    }
  });
});

describe('the format of a log', () => {
  const common = combinedLine(1).replace(/ "-" ".*"$/, '');

  test.each([
    ['combined', combinedLine(1)],
    ['vhost_combined', `www.example.com:443 ${combinedLine(1)}`],
    ['common', common],
  ])('%s is found by its lines', (name, line) => {
    expect(findFormat(['', 'rubbish', line, line]).name).toBe(name);
  });

  test('is combined where some lines have no user agent, and common where all have none', () => {
    expect(findFormat([common, common, combinedLine(1)])).toMatchObject({
      name: 'combined',
      hasAgents: true,
    });
    expect(eventOf(reader, common)).toMatchObject({ path: '/page/1?q=a', userAgent: null });
    expect(reader.read(common)).toMatchObject({ combined: null });
    expect(findFormat([common])).toMatchObject({ hasAgents: false });
    expect(findFormat([combinedLine(1)])).toMatchObject({ hasAgents: true });
  });

  test('that is not known is refused with what was seen', () => {
    expect(() => findFormat(['Lorem ipsum\u0007 dolor'])).toThrow(/got lines such as "Lorem ipsum dolor"/);
    expect(() => findFormat([combinedLine(1)], { format: 'xml' })).toThrow(
      /--format to be one of combined, /,
    );
    expect(() => findFormat(['Lorem'], { format: 'combined' })).toThrow(/lines in format combined, got/);
  });
});
