// Passwords leave this process as verifiers only, and the server takes those as its own.
import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { scramVerifier } from '../../src/db/scram.ts';
import { grantBi } from '../../src/export/grant-bi.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const role = `scram_${process.pid}`;

afterAll(async () => {
  await database.pool.query(`drop owned by ${role}`).catch(() => undefined);
  await database.pool.query(`drop role if exists ${role}`);
});

test.each(['secret', 'señor', 'a\u00a0b\u00adc', 'ﬁne', '名前'])(
  'is what the server makes of the same password: %j',
  async (password) => {
    const { pool } = database;
    await pool.query(`drop role if exists ${role}; set password_encryption = 'scram-sha-256'`);
    await pool.query(`create role ${role} password '${password}'`);
    const { rows } = await pool.query<{ verifier: string }>(
      `select rolpassword as verifier from pg_authid where rolname = '${role}'`,
    );
    const made = rows[0]?.verifier ?? '';
    const salt = Buffer.from(/:([^$]+)\$/.exec(made)?.[1] ?? '', 'base64');
    expect(scramVerifier(password, salt)).toBe(made);
  },
);

test('grant-bi sends no password', async () => {
  const sent: string[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => {
      sent.push(query.sql, ...query.parameters.map(String));
    },
  });
  await grantBi(db, { name: role, api: false, password: 'open-sesame', statementTimeoutMs: 1_000 });
  expect(sent.some((text) => text.includes(`alter role "${role}" password`))).toBe(true);
  expect(sent.filter((text) => text.includes('open-sesame'))).toEqual([]);
});
