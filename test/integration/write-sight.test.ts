import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unset } from '../support/config-fixtures.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { makeWrites, type WriteWorld } from '../support/write-world.ts';

const database = useDatabase();
let world: WriteWorld;
const folder = oneFolder();

beforeAll(async () => {
  world = await makeWrites(database.db, unset);
});
const run = async (...args: string[]) => {
  const accounts = {
    accounts: [{ name: 'north', api_key_env: 'NORTH_KEY', base_url: 'https://api.example.com' }],
  };
  const file = join(folder, 'airank.config.yaml');
  await writeFile(file, JSON.stringify(accounts));
  const env = { DATABASE_URL: database.url, AIRANK_CONFIG: file, NORTH_KEY: 'test-key-123456' };
  const said = await airank(args, { cwd: '/nowhere', env, keys: '' });
  return { ...said, text: said.stdout.replaceAll(/\s+/g, ' ') };
};

describe('airank push writes', () => {
  it('shows what is open first, with the command that deals with it, in 80 columns', async () => {
    const { exitCode, stdout, stderr, text } = await run('push', 'writes', '--account', 'north');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
    expect(text).toContain(
      "! 1 upload (1,200 lines) of shop's log.gz: outcome unknown since 3 Apr 10:00 (UTC), it may have arrived. " +
        "airank push logs 'shop'\\''s log.gz' --unknown resend sends it again, " +
        `airank push writes skip ${world.unknown} gives it up`,
    );
    expect(text).toContain(
      `! 1 upload (1,200 lines) of access.log: refused (400). airank push writes --json says why`,
    );
    expect(text).toContain(
      '! 1 upload (1,200 lines) of access.log: waits since 3 Apr 10:00 (UTC). airank push logs access.log sends it',
    );
    expect(text).toContain('! 1 question: waits since 3 Apr 10:00 (UTC). airank push questions sends it');
    expect(text).toContain('! 20 questions: outcome unknown since 3 Apr 10:00 (UTC), they may have arrived');
    expect(text).toMatch(/access\.log, 0\.0 to 4\.0 MB +1,200 +accepted +202/);
    expect(text).toMatch(/measurement of Clínica Norte +1 +accepted +201/);
    expect(text).not.toContain('standard input');
  });

  it('lists the newest, and names the account where there are several', async () => {
    const { writes } = JSON.parse((await run('push', 'writes', '--json')).stdout);
    expect(writes).toHaveLength(7);
    expect(writes).toContainEqual(
      expect.objectContaining({
        ...{ id: world.accepted, body_bytes: 1_500_000, answer: '{"aceptados":1200}' },
        counts: expect.objectContaining({ read: 2_000, not_bots: 700 }),
      }),
    );
    expect((await run('push', 'writes')).text).toMatch(/south log, 0\.0 to 4\.0 MB 1,200 accepted/);
    const south = await run('push', 'writes', '--account', 'south', '--json');
    expect(JSON.parse(south.stdout)).toMatchObject({ open: [], writes: [{ account: 'south' }] });
  });

  it('leaves a write as it is: not open any more, never sent, its questions forgotten', async () => {
    const ids = [world.questions, world.accepted].map(String);
    const said = await run('push', 'writes', 'skip', '--account', 'north', ...ids);
    expect(said).toMatchObject({ exitCode: 2, stdout: '1 write skipped: never sent again\n' });
    expect(said.stderr).toBe(
      `Expected a write that is refused, unknown or planned, got ${world.accepted}, which is accepted\n`,
    );
    const { open, writes } = JSON.parse((await run('push', 'writes', '--account', 'north', '--json')).stdout);
    const questions = (one: { kind: string }) => one.kind === 'questions';
    expect(open.filter(questions)).toMatchObject([{ status: 'planned', writes: 0, amount: 1 }]);
    expect(writes.filter(questions)).toMatchObject([{ status: 'unknown', skipped_at: expect.any(String) }]);
    expect(
      await database.rows(
        `select sync.start_write('north', $1, 200, interval '0') as started`,
        world.questions,
      ),
    ).toEqual([]);
    const texts = await database.pool.query('select text from sync.question where text is not null');
    expect(texts.rows).toEqual([{ text: '¿Dónde está?' }]);
  });
});

describe('status and budget', () => {
  it('show what is open, also where nothing was ever synced, and the limits of an account that ever sent anything', async () => {
    const { writes } = JSON.parse((await run('status', '--json')).stdout);
    const statuses = ['unknown', 'refused', 'planned', 'planned'];
    expect(writes.open).toMatchObject(statuses.map((status) => ({ status })));
    const { text } = await run('budget');
    expect(text).toContain('3 of 20 uploads of logs in 60 minutes sent');
    expect(text).toContain('20 of 200 questions today sent');
    expect(text).toMatch(/1 of 3 measurements today sent; the next from \d+ [A-Z][a-z]+ \d\d:\d\d/);
    expect(text).toMatch(/refused until .* answered 429/);
    const { accounts } = JSON.parse((await run('budget', '--json')).stdout);
    expect(accounts[0].writes).toMatchObject([{ kind: 'logs', used: 3, most: 20 }, {}, {}]);
  });
});

describe('ops.write_log', () => {
  it('has a row a write with its counts, and neither answers nor subjects', async () => {
    const { rows, fields } = await database.pool.query('select * from ops.write_log order by write_id');
    expect(rows).toHaveLength(7);
    expect(rows.find((row) => Number(row.write_id) === world.refused)).toMatchObject({
      ...{ client_key: 'north/', kind: 'logs', status: 'refused', is_open: true, http_status: 400 },
      ...{ planned_date: '2026-04-03', source_name: 'access.log', sent_count: 1_200, read_line_count: 2_000 },
      ...{ unreadable_line_count: 3, old_line_count: 90, other_agent_line_count: 700 },
    });
    expect(rows.filter((row) => row.is_open)).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/Norte|aceptados|Quién/);
    expect(fields.map(({ name }) => name)).not.toContain('answer');
  });
});
