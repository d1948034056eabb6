import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { refuseWithoutAgents } from '../../../src/writes/logs/chunk-lines.ts';
import { combinedReader } from '../../../src/writes/logs/combined.ts';
import { findFormat } from '../../../src/writes/logs/find-format.ts';
import { type LogChunk, splitChunk } from '../../../src/writes/logs/log-chunk.ts';
import { chunked, combinedLine, person } from './log-world.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `${combinedLine(from + index)}\n`).join('');

const bodies = (chunks: readonly LogChunk[]) => chunks.map((chunk) => chunk.body.toString()).join('');

describe('the chunks of a log', () => {
  test('hold the lines of bots and count the others', async () => {
    const others = [combinedLine(2, person), 'rubbish', '', combinedLine(3, undefined, '03/Apr/2025')];
    const text = [combinedLine(1), ...others, combinedLine(4), combinedLine(5, person), ''].join('\n');
    const { chunks, rejected } = await chunked(text);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.counts).toEqual({ read: 7, sent: 2, unreadable: 1, tooOld: 1, notBots: 2, nothing: 1 });
    expect(chunks[0]).toMatchObject({ fromByte: 0, toByte: text.length, lines: 2 });
    expect(bodies(chunks)).toBe(`${combinedLine(1)}\n${combinedLine(4)}\n`);
    expect(rejected).toMatchObject([{ number: 3, text: 'rubbish', fromByte: text.indexOf('rubbish') }]);
    expect(chunks[0]?.hash).toBe(createHash('sha256').update(bodies(chunks)).digest('hex'));
    expect(chunks[0]?.byBot).toEqual(new Map([['TestBot', 2]]));
    expect(chunks[0]?.byDay).toEqual(new Map([['2026-04-03', 2]]));
    expect(chunks[0]?.byStatus).toEqual(new Map([[200, 2]]));
    expect(chunks[0]?.oldest).toEqual(new Date('2026-04-03T08:00:00Z'));
  });

  test('are cut at the last line that fits, to the byte', async () => {
    const text = lines(10, 30);
    const lineBytes = combinedLine(10).length + 1;
    for (const [maxBytes, most] of [
      [5 * lineBytes, 5],
      [5 * lineBytes - 1, 4],
    ] as const) {
      const { chunks } = await chunked(text, { limits: { maxBytes, maxLines: 1_000 } });
      expect(Math.max(...chunks.map((chunk) => chunk.lines))).toBe(most);
      expect(bodies(chunks)).toBe(text);
      expect(chunks.map((chunk) => chunk.fromByte)).toEqual([
        0,
        ...chunks.slice(0, -1).map((one) => one.toByte),
      ]);
    }
  });

  test('cover the lines that are left out after the last one sent', async () => {
    const skipped = `${combinedLine(0, person)}\n`.repeat(3);
    const text = `${skipped}${lines(10, 12)}${skipped}${lines(12, 14)}${skipped}`;
    const { chunks } = await chunked(text, { limits: { maxBytes: 1_000, maxLines: 2 } });
    const second = text.indexOf(combinedLine(12));
    expect(chunks.map(({ fromByte, toByte }) => [fromByte, toByte])).toEqual([
      [0, second],
      [second, text.length],
    ]);
    expect(chunks.map(({ counts }) => counts.notBots)).toEqual([6, 3]);
  });

  test('of JSON have as many events as the API takes', async () => {
    const limits = { maxBytes: 100_000, maxLines: 3 };
    const { chunks } = await chunked(lines(10, 17), { form: 'json', limits });
    const events = chunks.map((chunk) => JSON.parse(chunk.body.toString()).eventos);
    expect(events.map((list) => list.length)).toEqual([3, 3, 1]);
    expect(events[0][0]).toEqual({
      fecha: '2026-04-03T10:00:00.000+02:00',
      ua: expect.stringContaining('TestBot'),
      ruta: '/page/10?q=a',
      estado: 200,
      ip: '192.0.2.7',
    });
    const exact = chunks[0]?.body.length ?? 0;
    const tight = await chunked(lines(10, 13), { form: 'json', limits: { maxBytes: exact, maxLines: 9 } });
    expect(tight.chunks).toHaveLength(1);
    const short = await chunked(lines(10, 13), {
      form: 'json',
      limits: { maxBytes: exact - 1, maxLines: 9 },
    });
    expect(short.chunks).toHaveLength(2);
  });

  test('leave a last line that is being written', async () => {
    const text = `${lines(10, 12)}${combinedLine(12).slice(0, 100)}`;
    const { chunks, rejected } = await chunked(text, { lastLine: 'leave' });
    expect(chunks).toMatchObject([{ lines: 2, toByte: lines(10, 12).length, counts: { read: 2 } }]);
    expect(rejected).toEqual([]);
    expect((await chunked(text)).chunks).toMatchObject([{ toByte: text.length, counts: { unreadable: 1 } }]);
  });

  test('have nothing to upload where no line is of a bot, and say how far the log was read', async () => {
    const text = `${combinedLine(1, person)}\n`;
    const { chunks } = await chunked(text);
    expect(chunks).toMatchObject([{ lines: 0, fromByte: 0, toByte: text.length, oldest: null }]);
    expect(chunks[0]?.body).toHaveLength(0);
  });

  test('hold everybody with addresses cut where that is asked for', async () => {
    const { chunks } = await chunked(`${combinedLine(1, person)}\n`, { allAgents: true, anonymizeIp: true });
    expect(bodies(chunks)).toBe(`${combinedLine(1, person).replace('192.0.2.7', '192.0.2.0')}\n`);
    expect(chunks[0]?.byBot).toEqual(new Map([['', 1]]));
  });

  test.each([
    ['www.example.com', 'www.example.com'],
    ['WWW.Example.com:8443', 'www.example.com'],
    ['example.com.', 'example.com'],
    ['xn--espaa-rta.example', 'xn--espaa-rta.example'],
    ['localhost', 'localhost'],
    ['192.0.2.1', ''],
    ['192.0.2.1:80', ''],
    ['[2001:db8::1]:443', ''],
    ['2001:db8::1', ''],
    ['-', ''],
    ['a..example', ''],
    ["a'b.example", ''],
    ['1.2', ''],
    [`${'a.'.repeat(130)}example`, ''],
  ])('count visits by host, and %s is the host %j', async (written, host) => {
    const { chunks } = await chunked(`${written} ${combinedLine(1)}\n`, {}, combinedReader('vhost'));
    expect(chunks[0]?.visits).toEqual([{ host, bot: 'TestBot', day: '2026-04-03', status: 200, visits: 1 }]);
  });

  test('count visits of bots by day in UTC and status, whatever the zone of the log', async () => {
    const early = combinedLine(1).replace(':10:00:00', ':01:59:59');
    const lines = [
      early,
      combinedLine(2),
      combinedLine(3).replace('" 200', '" 404'),
      combinedLine(4, person),
    ];
    const { chunks } = await chunked(`${lines.join('\n')}\n`, { allAgents: true });
    const visit = { host: '', bot: 'TestBot', day: '2026-04-03', status: 200, visits: 1 };
    expect(chunks[0]?.visits).toEqual([{ ...visit, day: '2026-04-02' }, visit, { ...visit, status: 404 }]);
  });

  test('name 100 hosts at most, and lose no visit', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, index) => `h${index % 150}.example ${combinedLine(index)}\n`,
    );
    const { chunks } = await chunked(lines.join(''), {}, combinedReader('vhost'));
    const visits = chunks[0]?.visits ?? [];
    expect(visits).toHaveLength(101);
    expect(visits.reduce((sum, one) => sum + one.visits, 0)).toBe(300);
  });

  test('need user agents', () => {
    const format = findFormat([combinedLine(1).replace(/ "-" ".*"$/, '')]);
    expect(() => refuseWithoutAgents(format, false)).toThrow(/with user agents, got format common/);
    expect(() => refuseWithoutAgents(format, true)).not.toThrow();
  });
});

describe('half a chunk', () => {
  test.each(['text', 'json'] as const)('is what chunking its bytes alone gives: %s', async (form) => {
    const skipped = `${combinedLine(0, person)}\nrubbish\n`;
    const text = `${skipped}${lines(10, 13)}${skipped}${lines(13, 16)}${skipped}`;
    const [whole] = (await chunked(text, { form })).chunks;
    const halves = whole === undefined ? null : splitChunk(whole);
    expect(halves).toHaveLength(2);
    let at = 0;
    for (const half of halves ?? []) {
      expect(half.fromByte).toBe(at);
      const [alone] = (await chunked(text.slice(half.fromByte, half.toByte), { form })).chunks;
      const { fromByte: _from, toByte: _to, sent: _sent, ...facts } = half;
      expect(alone).toMatchObject(facts);
      const quarters = splitChunk(half)?.map(({ body, counts }) => ({ body: body.toString(), counts }));
      const alike =
        alone && splitChunk(alone)?.map(({ body, counts }) => ({ body: body.toString(), counts }));
      expect(quarters).toEqual(alike);
      at = half.toByte;
    }
    expect(at).toBe(text.length);
  });

  test('is not to be had of one line', async () => {
    const [one] = (await chunked(lines(1, 2))).chunks;
    expect(one && splitChunk(one)).toBeNull();
  });
});
