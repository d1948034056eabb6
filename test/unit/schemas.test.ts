import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { roleNameFault } from '../../src/db/schemas.ts';
import { airank } from '../support/fake-terminal.ts';

describe('the name of a role', () => {
  test.each(['metabase', 'Metabase 2', 'a"b', 'é'.repeat(31), 'a'.repeat(63), 'Public'])(
    'may be %s',
    (name) => expect(roleNameFault(name)).toBeUndefined(),
  );

  test.each([
    ['', 'the name of a role, got "". Give one, such as metabase.'],
    ['a\0b', 'a text without NUL characters, got "a\\u0000b". Remove the NUL at position 2.'],
    ['a'.repeat(64), `a name of at most 63 bytes, got "${'a'.repeat(64)}" of 64. Choose a shorter one.`],
    // 32 characters: Postgres counts bytes.
    ['é'.repeat(32), `a name of at most 63 bytes, got "${'é'.repeat(32)}" of 64. Choose a shorter one.`],
    ['pg_bi', 'a name that Postgres has not reserved, got "pg_bi". Choose another one, such as metabase.'],
    ['public', 'a name that Postgres has not reserved, got "public". Choose another one, such as metabase.'],
  ])('cannot be %j', (name, fault) => {
    expect(roleNameFault(name)).toBe(`Expected <role> to be ${fault}`);
  });

  test('is checked before any database is opened, together with the flags', async () => {
    const args = ['grant-bi', '', '--password-env', 'NOBODY', '--timeout-seconds', '0'];
    const said = await airank(args, { cwd: tmpdir(), env: { DATABASE_URL: 'postgres://127.0.0.1:1/w' } });
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toContain('Expected <role> to be the name of a role, got ""');
    expect(said.stderr).toContain('Expected --timeout-seconds');
    expect(said.stderr).toContain('Expected the environment variable NOBODY');
  });
});
