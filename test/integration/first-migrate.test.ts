// A first migrate on an empty database asks little of a server that is far away.
import { tmpdir } from 'node:os';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { createEmptyTestDatabase } from '../support/test-database.ts';

test('a first migrate sends less than a hundred statements, and a second one half of that', async () => {
  const database = await createEmptyTestDatabase();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const sentBy = async () => {
    query.mockClear();
    const env = { DATABASE_URL: database.url, AIRANK_DATA_DIR: tmpdir() };
    expect(await airank(['migrate'], { cwd: tmpdir(), env })).toMatchObject({ exitCode: 0, stderr: '' });
    return query.mock.calls.length;
  };
  try {
    expect(await sentBy()).toBeLessThan(100);
    expect(await sentBy()).toBeLessThan(50);
  } finally {
    query.mockRestore();
    await database.drop();
  }
});
