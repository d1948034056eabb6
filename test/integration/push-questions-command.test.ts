// airank push questions as people and scripts see it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { questionsOf } from '../support/push-in-process.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { startWriteServer, type WriteServer } from '../support/write-server.ts';

const folder = oneFolder();
const database = useDatabase();
let server: WriteServer;

beforeAll(async () => {
  server = await startWriteServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  server.reset();
  await database.pool.query(
    'delete from sync.question; delete from sync.write; delete from sync.budget_write; delete from sync.budget_write_closed',
  );
});

const push = (args: string, more: { env?: NodeJS.ProcessEnv; piped?: string } = {}) =>
  airank(['push', 'questions', ...args.split(' ').filter((arg) => arg !== '')], {
    cwd: folder,
    ...more,
    env: { DATABASE_URL: database.url, AIRANK_BASE_URL: server.url, AIRANK_API_KEY: 'a-key', ...more.env },
  });

const file = async (name: string, lines: readonly string[]) =>
  await writeFile(join(folder, name), `${lines.join('\n')}\n`);

/** Uses up part of the day's 200. */
async function useQuestions(amount: number): Promise<void> {
  await database.pool.query(
    `insert into sync.budget_write (account, kind, write_id, attempt, amount, at)
     values ('default', 'questions', 0, 1, $1, now())`,
    [amount],
  );
}

describe('airank push questions', () => {
  it('shows the form of a file, what it leaves out by line, and what was accepted', async () => {
    const [one = '', two = '', three = ''] = questionsOf(3);
    const bad = ['corta', 'escríbeme a ana@correo.es, gracias', one.toUpperCase()];
    await file('a.csv', ['id;pregunta', ...[one, two, ...bad, three].map((text, id) => `${id};${text}`)]);
    const said = await push('a.csv');
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout.split('\n')).toEqual([
      'a.csv: CSV, column "pregunta", 6 questions',
      'Left out: 1 that came before in the files',
      'Not sent, because the service would refuse them: 1',
      '  a.csv, line 4: 5 characters, at least 8 are needed',
      'Held back, with personal data: 1 (--allow-personal-data sends them)',
      '  a.csv, line 5: an e-mail address',
      'Accepted: 3 questions in 1 request',
      '',
    ]);
    expect(server.taken).toEqual([[one, two, three]]);
    expect(said.stdout).not.toContain('ana@correo.es');
  });

  it('sends personal data where that is allowed, and a pipe', async () => {
    const piped = `escríbeme a ana@correo.es\n${questionsOf(1)[0]}\n`;
    const said = await push('- --allow-personal-data', { piped });
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(/^standard input: a question a line, 2 questions\nWith personal data, sent/);
    expect(server.taken.flat()).toHaveLength(2);
  });

  it('sends what fits into the day, and says with 3 when the rest goes', async () => {
    await useQuestions(170);
    await file('many.txt', questionsOf(35));
    const said = await push('many.txt');
    expect(said).toMatchObject({ exitCode: 3, stderr: '' });
    expect(said.stdout).toMatch(/\nAccepted: 30 questions in 2 requests\n/);
    expect(said.stdout).toMatch(
      /\nWaiting: 5 questions; the limit is used up\. From \d+ [A-Z][a-z]+ 00:00 \(UTC\) on: airank push questions\n$/,
    );
    await database.pool.query('delete from sync.budget_write');
    const rest = await push('--json');
    expect(rest).toMatchObject({ exitCode: 0, stderr: '' });
    const accepted = { questions: 5, requests: 1 };
    const done = { accepted, waiting: 0, end: 'done', waits_until: null, open: [] };
    expect(JSON.parse(rest.stdout)).toMatchObject({ account: 'default', files: [], ...done });
    expect(await push('')).toMatchObject({ exitCode: 0, stdout: 'No questions are waiting\n' });
  });

  it('changes nothing in a dry run, and says how long it takes', async () => {
    await useQuestions(170);
    await file('many.txt', [...questionsOf(595), 'corta']);
    const said = await push('many.txt --dry-run');
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout).toMatch(
      /\nWould send 595 questions: 30 today, the rest on the next 3 days\. Nothing was stored or sent\n$/,
    );
    expect((await database.pool.query('select from sync.question')).rowCount).toBe(0);
    expect(server.bodies).toEqual([]);
  });

  it('names what is unknown, and what to do with it', async () => {
    server.answers.push({ status: 503 });
    const said = await push('-', { piped: questionsOf(2).join('\n') });
    expect(said.exitCode).toBe(1);
    expect(said.stdout).toMatch(
      /\nRequest \d+, 2 questions, sent .* \(UTC\): outcome unknown, it may have arrived \(answered 503.*\n--unknown resend/,
    );
    expect(await push('--unknown skip')).toMatchObject({
      exitCode: 0,
      stdout: 'Skipped for good: 1 request\n',
    });
  });

  it('says which setting may be wrong when the first request is refused, and sends it again under another name', async () => {
    server.answers.push({ status: 400, body: { error: 'campo' } });
    const said = await push('-', { piped: questionsOf(2).join('\n') });
    expect(said.exitCode).toBe(1);
    expect(said.stdout).toMatch(
      /\nRequest \d+, 2 questions, .*: refused \(400\): \{"error":"campo"\}\n--refused resend/,
    );
    expect(said.stderr).toMatch(/another name than "preguntas": set AIRANK_QUESTIONS_FIELD/);
    const again = await push('--refused resend', { env: { AIRANK_QUESTIONS_FIELD: 'questions' } });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.bodies.at(-1)).toEqual({ questions: questionsOf(2) });
  });

  it('forgets what waits when somebody says so', async () => {
    // Some questions wait in a refused request, the others beside it.
    server.answers.push({ status: 401 });
    await file('many.txt', questionsOf(35));
    const said = await push('many.txt');
    expect(said.stdout).toMatch(/\nWaiting: 35 questions\. To send them: airank push questions\n$/);
    expect(said.stderr).toMatch(/POST bgpi\/observe answered 401\. Check the key/);
    expect(said.stderr).not.toContain('a-key');
    expect(await push('--drop-waiting')).toMatchObject({
      exitCode: 0,
      stdout: 'Dropped 35 waiting questions\n',
    });
    expect(await push('')).toMatchObject({ exitCode: 0, stdout: 'No questions are waiting\n' });
  });

  it.each([
    ['missing.txt', /Cannot read "missing\.txt": /],
    ['-', /Cannot read "-": standard input is a terminal\. Use a pipe/],
    ['--dry-run', /Expected a file with --dry-run, got none/],
    ['missing.txt --drop-waiting', /Expected --drop-waiting alone/],
    ['--account other', /Expected --account to be one of default, got "other"/],
  ])('%s is wrong usage', async (args, message) => {
    const said = await push(args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
  });
});
