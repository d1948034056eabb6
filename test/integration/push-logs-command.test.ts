// airank push logs from the flags to the figures, and the job that does it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { botLines } from '../support/push-logs-in-process.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let sandbox: Sandbox;
const folder = oneFolder();
/** A job file is read once in a process, so each is in a folder of its own. */
let folders = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ uploadsPerHour: 1_000, perMinute: 1_000 });
});
afterAll(async () => {
  await sandbox.close();
});

async function run(args: readonly string[], piped?: string) {
  return await airank(args, {
    env: {
      ...{ DATABASE_URL: database.url, AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: sandbox.keys[0] },
      AIRANK_JOBS_DIR: join(folder, `jobs-${folders}`),
    },
    cwd: folder,
    ...(piped !== undefined && { piped }),
  });
}

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('airank push logs', () => {
  it('says what was read, sent and left out, and the first of what could not be read', async () => {
    const people = botLines(3, 50).replaceAll('GPTBot', 'Firefox');
    const path = write('one.log', `${botLines(5)}${people}garbage\n`);
    const said = await run(['push', 'logs', path]);
    expect(said.exitCode).toBe(0);
    expect(said.stdout).toBe(
      'one.log\n  9 lines read, 5 lines accepted in 1 upload\n  left out: 3 not of AI bots, 1 unreadable\n',
    );
    expect(said.stderr).toMatch(/^one\.log, byte \d+: no user agent$/m);
  });

  it('says in a dry run what it would take, and sends nothing', async () => {
    const before = sandbox.stats().requests;
    const { exitCode, stdout } = await run(['push', 'logs', write('dry.log', botLines(7, 100)), '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/7 lines would be sent in 1 upload/);
    expect(stdout).toMatch(/^Needs 1 upload: at 20 an hour within the hour\. Nothing was sent; --json /m);
    expect(sandbox.stats().requests).toBe(before);
  });

  it('reads compressed logs and pipes, and knows in them the log that was sent in part', async () => {
    const text = botLines(40, 1_000);
    await run(['push', 'logs', write('two.log', text.slice(0, 2_000))]);
    const copy = await run(['push', 'logs', write('two.log.1.gz', gzipSync(text)), '--json']);
    const { sources } = JSON.parse(copy.stdout);
    expect(sources).toMatchObject([
      { known: true, uploads: 1, from_byte: text.lastIndexOf('\n', 1_999) + 1 },
    ]);
    const piped = await run(['push', 'logs', '-', '--json'], `${text}${botLines(2, 1_040)}`);
    expect(JSON.parse(piped.stdout).sources).toMatchObject([{ name: '-', known: true, lines: 2 }]);
  });

  it.each([
    [['nowhere.log'], /Expected .*nowhere\.log to be a log that can be read/],
    [['-', '-'], /Expected - once, got it 2 times/],
    [['one.log', '--strip-prefix', '('], /Expected --strip-prefix to be a regular expression .*got "\("/],
    [['one.log', '--account', 'nort'], /Expected --account to be one of default, got "nort"/],
    [['one.log', '--unknown', 'maybe'], /Allowed choices are report, resend, skip/],
  ])('refuses %j with 2 and what was expected', async (args, expected) => {
    const { exitCode, stderr } = await run(['push', 'logs', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(expected);
  });

  it('shows a name with signs that steer a terminal without them', async () => {
    write('a\x1b[31mred\nb.log', `${botLines(3, 4_800)}unreadable\n`);
    const { stdout, stderr } = await run(['push', 'logs', 'a\x1b[31mred\nb.log']);
    expect(stdout).toMatch(/^a \[31mred b\.log\n/);
    expect(stderr).toMatch(/^a \[31mred b\.log, byte/);
  });

  it('goes on after a log that cannot be read, and names it', async () => {
    write('error.log', '2026/11/01 12:00:00 [error] 3#3: *1 open() failed, client: 192.0.2.9\n'.repeat(10));
    const whole = gzipSync(botLines(500, 4_000));
    writeFileSync(join(folder, 'half.log.gz'), whole.subarray(0, whole.length - 100));
    write('after.log', botLines(3, 4_500));
    const said = await run(['push', 'logs', 'error.log', 'half.log.gz', 'after.log', '--json']);
    expect(said.exitCode).toBe(1);
    expect(said.stderr).toMatch(
      /error\.log: Expected .* cannot be read.*\n.*half\.log\.gz: Expected to read .* to its end/s,
    );
    const { sources, failed } = JSON.parse(said.stdout);
    expect(sources).toMatchObject([{ lines: 0 }, { name: 'half.log.gz' }, { name: 'after.log', lines: 3 }]);
    expect(failed).toHaveLength(2);
    expect(said.stdout).not.toMatch(/192\.0\.2\.9/);
  });
});

describe('a job of kind push-logs', () => {
  const job = (files: readonly string[]) => {
    folders += 1;
    mkdirSync(join(folder, `jobs-${folders}`));
    const logs = { name: 'logs', description: 'd', kind: 'push-logs', files, schedule: '*/10 * * * *' };
    write(`jobs-${folders}/logs.mjs`, `export default ${JSON.stringify(logs)};`);
  };

  it('sends what is new in the logs that fit, the oldest first, and is listed', async () => {
    write('site.log.1', botLines(3, 3_000));
    write('site.log', botLines(3, 3_100));
    job([join(folder, 'site.log*')]);
    const done = await run(['jobs', 'run', 'logs', '--json']);
    expect(done.exitCode).toBe(0);
    expect(JSON.parse(done.stdout).summary.sources).toMatchObject([
      { name: 'site.log.1', lines: 3 },
      { name: 'site.log', lines: 3 },
    ]);
    expect((await run(['jobs', 'run', 'logs'])).stdout).toBe('Job logs: everything new was sent\n');
    expect((await run(['jobs'])).stdout).toMatch(/sends .*site\.log\*/);
  });

  it('fails with what is missing or in no format that is known, names it, and shows nothing of its lines', async () => {
    write('other.log', '192.0.2.9 is not what this log should have\n'.repeat(3));
    write('site2.log', botLines(3, 4_600));
    job(['gone.log', 'other.log', 'site2.log'].map((name) => join(folder, name)));
    const done = await run(['jobs', 'run', 'logs', '--json']);
    expect(done.exitCode).toBe(1);
    expect(JSON.parse(done.stdout).summary.sources).toMatchObject([{ lines: 0 }, { lines: 3 }]);
    expect(JSON.parse(done.stdout).missing).toMatch(
      /other\.log: Expected .* cannot be read.*; no log at .*gone\.log$/,
    );
    expect(done.stdout + done.stderr).not.toMatch(/192\.0\.2\.9/);
  });

  it('is refused with 2 where its file is wrong', async () => {
    job([]);
    const { exitCode, stderr } = await run(['jobs']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Expected files to be at least one path, got \[\]/);
  });
});
