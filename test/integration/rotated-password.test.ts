// A password that is rotated while a process works: it reads the new one where it read the old one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWorkplace, type Workplace } from '../support/awkward-cli.ts';
import { nobody } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';

const role = `rotated_${process.pid}`;
const database = useDatabase();
let place: Workplace;

beforeAll(async () => {
  await database.pool.query(`create role ${role} superuser login`);
  place = await createWorkplace({
    ...nobody,
    AIRANK_HTTP_PORT: '0',
    AIRANK_LOG_FORMAT: 'json',
  });
});
afterAll(async () => {
  await place.remove();
  await database.pool.query(`drop role ${role}`);
});

async function rotate(password: string): Promise<void> {
  await database.pool.query(`alter role ${role} password '${password}'`);
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  await writeFile(join(place.folder, '.env'), `DATABASE_URL=${url.href}\n`);
}

test.each([
  ['jobs worker', /worker\.(waiting|working)/g],
  ['schedule --no-work', /scheduler\.working/g],
])(
  'airank %s works on with the new one',
  async (args, works) => {
    await rotate('first');
    const { child, ended } = place.start(args.split(' '));
    let log = '';
    child.stderr?.on('data', (text) => {
      log += String(text);
    });
    const worksAgain = (times: number) =>
      vi.waitFor(() => expect((log.match(works) ?? []).length).toBeGreaterThanOrEqual(times), {
        timeout: 60_000,
        interval: 100,
      });
    try {
      await worksAgain(1);
      await rotate('second');
      await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        role,
      ]);
      await worksAgain(2);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toMatchObject({ code: 0 });
  },
  150_000,
);
