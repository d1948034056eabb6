// Logs as they are found, and the bodies that arrive.
import { truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { faultLines } from '../../src/cli/commands/push-logs-command.ts';
import { RetryableError } from '../../src/core/errors.ts';
import { exitCodeOf, readStripPrefix } from '../../src/writes/push-logs.ts';
import { botLines, idsIn, numbers, usePushWorld } from '../support/push-logs-in-process.ts';

const { makeWorld } = usePushWorld();

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
  it('in no format that is read is refused with the fields that were seen, and not noted as read', async () => {
    const { push, write } = await makeWorld();
    const log = `203.0.113.7 ${bare('/a')}\n`;
    const path = write('docker.log', `${JSON.stringify({ log, stream: 'stdout' })}\n`);
    for (const _ of [1, 2]) {
      const { failure } = await push([path]);
      expect(String(failure)).toMatch(/that cannot be read: no user agent, and the fields log, stream/);
    }
  });

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
