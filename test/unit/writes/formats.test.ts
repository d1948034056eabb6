import { describe, expect, test } from 'vitest';
import { findFormat, formatNames } from '../../../src/writes/logs/find-format.ts';
import type { LogEvent } from '../../../src/writes/logs/log-event.ts';
import { logSamples } from './log-samples.ts';
import { combinedLine, robot } from './log-world.ts';

/** Read as a file of its own. */
function eventsOf(lines: readonly string[], wanted = {}): LogEvent[] {
  const reader = findFormat(lines, wanted).reader();
  return lines.flatMap((line) => {
    const reading = reader.read(line);
    return reading.kind === 'event' ? [reading.event] : [];
  });
}

const sampleOf = (name: string) => logSamples.find((sample) => sample.name === name)?.lines ?? [];

/** Of a line of JSON with these values. */
const jsonEvents = (values: object) =>
  eventsOf([JSON.stringify({ time: '2026-04-03T08:00:00Z', path: '/', status: 200, ua: robot, ...values })]);

describe('a log', () => {
  test.each(logSamples)('in format $name is found, and tells what others tell', (sample) => {
    expect(findFormat(sample.lines)).toMatchObject({ name: sample.name, hasAgents: true });
    const events = eventsOf(sample.lines);
    expect(events.map(({ path }) => path)).toEqual(['/page/1?q=a', '/page/2?q=a', '/page/3?q=a']);
    expect(events[0]).toMatchObject({
      at: new Date('2026-04-03T08:00:00Z'),
      host: sample.host ?? null,
      ip: '192.0.2.7',
      method: 'GET',
      protocol: 'HTTP/1.1',
      status: 200,
      bytes: sample.lacks?.includes('bytes') ? null : 5120,
      referrer: null,
      userAgent: sample.name === 'w3c' ? robot.replaceAll('+', ' ') : robot,
      durationMs: sample.durationMs,
    });
  });

  test.each(logSamples)('in format $name is read when that is asked for by name', ({ name, lines }) => {
    expect(eventsOf(lines, { format: name })).toHaveLength(3);
  });

  test('that begins with other lines is found by most of them', () => {
    expect(findFormat(['{"level":"info","msg":"hello"}', ...sampleOf('caddy')]).name).toBe('caddy');
  });

  test.each([
    ['json', ['{"time":"2026-04-03T08:00:00Z","path":"/","status":200}']],
    ['w3c', ['#Fields: date time cs-uri-stem sc-status', '2026-04-03 08:00:00 / 200']],
    ['csv', ['time;path;status', '2026-04-03T08:00:00Z;/;200']],
  ])('in format %s without user agents is known as such', (name, lines) => {
    expect(findFormat(lines)).toMatchObject({ name, hasAgents: false });
    expect(eventsOf(lines)).toHaveLength(1);
  });

  test('of which less than half can be read is in no format', () => {
    const [first = '', second = ''] = sampleOf('combined');
    expect(findFormat([first, second, 'rubbish', 'more']).name).toBe('combined');
    expect(() => findFormat([first, 'rubbish', 'more'])).toThrow(/in a format that is known/);
  });

  test('names every format where it is none', () => {
    for (const { name } of logSamples) expect(formatNames).toContain(name);
    expect(() => findFormat(['{"a":1}'])).toThrow(formatNames.join(', '));
  });
});

describe('lines of JSON', () => {
  test.each([
    ['2026-04-03T10:00:00.5+02:00', '2026-04-03T08:00:00.500Z', 120],
    ['2026-04-03 08:00:00', '2026-04-03T08:00:00.000Z', 0],
    ['2026-04-03T08:00:00.123456789Z', '2026-04-03T08:00:00.123Z', 0],
    ['2026-04-03T04:30:00-0330', '2026-04-03T08:00:00.000Z', -210],
    ['03/Apr/2026:10:00:00 +0200', '2026-04-03T08:00:00.000Z', 120],
    [1775203200, '2026-04-03T08:00:00.000Z', 0],
    ['1775203200.25', '2026-04-03T08:00:00.250Z', 0],
    [1775203200250, '2026-04-03T08:00:00.250Z', 0],
    [1775203200250000, '2026-04-03T08:00:00.250Z', 0],
    [1775203200250000000, '2026-04-03T08:00:00.250Z', 0],
  ])('have times such as %s', (time, at, zoneMinutes) => {
    expect(jsonEvents({ time })).toMatchObject([{ at: new Date(at), zoneMinutes }]);
  });

  test.each(['2026-02-30T08:00:00Z', '2026-04-03', 'yesterday', true, {}, '', -5])(
    'with the time %j are unreadable',
    (time) => {
      const reader = findFormat(sampleOf('json')).reader();
      const line = JSON.stringify({ time, path: '/', status: 200 });
      expect(reader.read(line)).toMatchObject({ kind: 'unreadable', why: 'no time that can be read' });
    },
  );

  test.each([
    [{ ip: '[2001:db8::1]:443' }, { ip: '2001:db8::1' }],
    [{ ip: '192.0.2.7, 198.51.100.1' }, { ip: '192.0.2.7' }],
    [{ ip: 'unknown' }, { ip: null }],
    [
      { method: 'post', protocol: '2' },
      { method: 'POST', protocol: 'HTTP/2.0' },
    ],
    [{ path: 'https://www.example.com?q=1' }, { path: '/?q=1' }],
    [{ path: '/a', query: 'b=c' }, { path: '/a?b=c' }],
    [{ ua: 'half \ud83e a pair' }, { userAgent: 'half \ufffd a pair' }],
    [
      { bytes: 'many', duration_ms: 'long' },
      { bytes: null, durationMs: null },
    ],
    [{ request_time: 0.07 }, { durationMs: 70 }],
  ])('with %j tell %j', (values, expected) => {
    expect(jsonEvents(values)).toMatchObject([expected]);
  });

  test.each([
    '{"time":',
    '[1]',
    'null',
    '{"time":1775203200,"status":200}',
    '{"time":1775203200,"path":"/"}',
  ])('such as %s are unreadable', (line) => {
    expect(findFormat(sampleOf('json')).reader().read(line)).toMatchObject({ kind: 'unreadable' });
  });
});

describe('W3C lines', () => {
  test('are read by the #Fields before them, which may come again', () => {
    const lines = [
      '#Fields: date time cs-uri-stem sc-status',
      '2026-04-03 08:00:00 /first 200',
      '#Fields: sc-status cs-uri-stem time date',
      '404 /second 08:00:01 2026-04-03',
    ];
    expect(eventsOf(lines)).toMatchObject([
      { path: '/first', status: 200 },
      { path: '/second', status: 404 },
    ]);
  });

  test('of another number of values are unreadable, and so are those without #Fields', () => {
    const reader = findFormat(sampleOf('w3c')).reader();
    const line = sampleOf('w3c').at(-1) ?? '';
    expect(reader.read(line)).toMatchObject({ kind: 'unreadable', why: 'no #Fields before it' });
    for (const head of sampleOf('w3c').slice(0, 4)) expect(reader.read(head).kind).toBe('nothing');
    expect(reader.read(line).kind).toBe('event');
    expect(reader.read(`${line} more`)).toMatchObject({ why: '16 values where #Fields has 15' });
  });

  test('have user agents that were encoded twice, and times in seconds', () => {
    const twice = sampleOf('cloudfront').map((line) => line.replaceAll('%', '%25'));
    expect(eventsOf(twice)[0]?.userAgent).toBe(robot);
    const lines = ['#Fields: date time cs-uri-stem sc-status time-taken', '2026-04-03 08:00:00 / 200 0.25'];
    expect(eventsOf(lines)).toMatchObject([{ durationMs: 250 }]);
  });
});

describe('rows of CSV', () => {
  const header = 'date;time;path;status;ua';

  test('have a date and a time apart, and quotes in quotes', () => {
    const lines = [header, '2026-04-03;08:00:00;/;200;"say ""hi""; Bot"'];
    expect(eventsOf(lines)).toMatchObject([
      { at: new Date('2026-04-03T08:00:00Z'), userAgent: 'say "hi"; Bot' },
    ]);
  });

  test('that go on in the next line are unreadable', () => {
    const reader = findFormat([header, '2026-04-03;08:00:00;/;200;a']).reader();
    reader.read(header);
    expect(reader.read('2026-04-03;08:00:00;/;200;"a')).toMatchObject({ why: /quoted value without an end/ });
    expect(reader.read('b"')).toMatchObject({ why: '1 values where the header has 5' });
  });
});

describe('--pattern', () => {
  const nginx =
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

  test('takes the log_format of nginx', () => {
    const lines = [`${combinedLine(1)} 0.25 x`];
    expect(eventsOf(lines, { pattern: `${nginx} $request_time \${upstream_addr}` })).toMatchObject([
      { path: '/page/1?q=a', userAgent: robot, durationMs: 250, ip: '192.0.2.7', zoneMinutes: 120 },
    ]);
    expect(eventsOf([`a.example ${combinedLine(1)}`], { pattern: `$host ${nginx}` })).toMatchObject([
      { host: 'a.example' },
    ]);
  });

  const apache = '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"';
  const quoted = apache.replaceAll('"', '\\"');

  test.each([
    ['as it is', `${apache} %D`, `${combinedLine(1)} 250000`],
    ['as it stands in the configuration', `${quoted} %{us}T %%`, `${combinedLine(1)} 250000 %`],
    [
      'with a host and parts that mean nothing',
      `%v:%p ${apache} %{ms}T %{X-Forwarded-For}i %k`,
      `a.example:443 ${combinedLine(1)} 250 10.0.0.1, 10.0.0.2 0`,
    ],
    [
      'with the request in parts',
      '%a [%{%Y-%m-%dT%H:%M:%S%z}t] "%m %U%q %H" %s %B "%{User-agent}i" %T',
      `192.0.2.7 [2026-04-03T10:00:00+0200] "GET /page/1?q=a HTTP/1.1" 200 5120 "${robot}" 0.25`,
    ],
    [
      'without quotes',
      '%h %t %U%q %H %!200,304s %{User-Agent}i',
      `192.0.2.7 [03/Apr/2026:10:00:00 +0200] /page/1?q=a HTTP/1.1 200 ${robot}`,
    ],
  ])('takes the LogFormat of Apache %s', (_, pattern, line) => {
    const [event] = eventsOf([line], { pattern });
    expect(event).toMatchObject({
      path: '/page/1?q=a',
      userAgent: robot,
      ip: '192.0.2.7',
      zoneMinutes: 120,
      method: 'GET',
      status: 200,
      referrer: null,
    });
    expect(event?.durationMs ?? 250).toBe(250);
  });

  test('takes %% of Apache for a percent sign', () => {
    const pattern = `${apache} 5%%`;
    expect(eventsOf([`${combinedLine(1)} 5%`], { pattern })).toHaveLength(1);
    expect(() => findFormat([`${combinedLine(1)} 55`], { pattern })).toThrow(/lines as --pattern says/);
  });

  test('takes a path with a blank and escaped quotes of Apache', () => {
    const line = '192.0.2.7 [03/Apr/2026:10:00:00 +0200] "GET /a b HTTP/1.1" 200 "say \\"Bot\\""';
    expect(eventsOf([line], { pattern: '%h %t "%m %U%q %H" %s "%{User-Agent}i"' })).toMatchObject([
      { path: '/a b', userAgent: 'say "Bot"' },
    ]);
  });

  test('takes a regular expression with named groups', () => {
    const pattern = '/^(?<status>\\d+)\\|(?<path>\\S+)\\|(?<time>\\d+)\\|(?<agent>.*)$/';
    expect(eventsOf(['404|/a|1775203200|Bot "x"'], { pattern })).toMatchObject([
      { status: 404, path: '/a', userAgent: 'Bot "x"' },
    ]);
  });

  test.each([
    ['$remote_addr $status', /to have a time, a status and a path/],
    ['%h %l %t', /got "%h %l %t", which has no status and no path or request. Give the LogFormat of Apache/],
    ['%h "%r" %>s', /which has no time\./],
    ['/(?<when>.*)/', /groups named time, date, ip, .*got "when"/],
    ['/((/', /to be a regular expression/],
    [nginx, /lines as --pattern says, got lines such as "Lorem"/],
  ])('%s that cannot be is refused', (pattern, message) => {
    expect(() => findFormat(['Lorem'], { pattern })).toThrow(message);
  });

  test('whose values cannot be read is refused with the reason', () => {
    const pattern = '%h %{%A}t "%r" %s';
    expect(() => findFormat(['192.0.2.7 Friday "GET / HTTP/1.1" 200'], { pattern })).toThrow(
      /The first: no time that can be read\. Leave/,
    );
  });
});
