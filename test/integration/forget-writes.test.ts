// Forgetting a client removes it from what was sent, too.
import { beforeAll, expect, it } from 'vitest';
import { forgetClient } from '../../src/forget/forget-client.ts';
import { unset } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';
import { makeWrites, type WriteWorld } from '../support/write-world.ts';

const database = useDatabase();
let world: WriteWorld;

const tables = ['write', 'write_source', 'question'];

beforeAll(async () => {
  world = await makeWrites(database.db, unset);
});
async function rowsOf(account: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const { rows } = await database.pool.query(
      `select to_jsonb(t) - 'account' as value from sync.${table} as t where account = $1 order by 1`,
      [account],
    );
    found[table] = rows.map(({ value }) => value);
  }
  return found;
}

it('a client that is forgotten is in no text of it, and what asks about it is not sent', async () => {
  await database.pool.query(
    `insert into sync.question (account, hash, text, write_id, sent_at) values
       ('north', 'd', '¿Es buena la Clínica Norte?', null, null), ('north', 'e', 'clínica norte, ¿dónde?', $1, now())`,
    [world.questions],
  );
  await database.pool.query(
    `update sync.question set text = null where hash = 'a';
     update sync.write_source set name = 'Clínica Norte.log' where account = 'south'`,
  );
  await forgetClient(database.pool, database.db, {
    ...{ account: 'north', clientId: '7', names: ['Clínica Norte'], isText: false },
    sleep: async () => undefined,
  });
  const { write = [], question = [] } = await rowsOf('north');
  expect(JSON.stringify([write, question])).not.toMatch(/clínica norte/i);
  expect(write).toContainEqual(expect.objectContaining({ id: world.measurement, subject: '[forgotten]' }));
  expect(write).toContainEqual(
    expect.objectContaining({ id: world.questions, skipped_at: expect.any(String) }),
  );
  expect(write).toContainEqual(expect.objectContaining({ id: world.planned, skipped_at: null }));
  expect(question).toHaveLength(4);
  // Another account's are not meant.
  expect((await rowsOf('south'))['write_source']).toMatchObject([{ name: 'Clínica Norte.log' }]);
});
