// The password of query_bi in the embedded Postgres.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPassword } from '../../src/mcp/read/query-role.ts';
import { oneFolder } from '../support/temp-folder.ts';

const folder = oneFolder();

it('is made once, by whoever is first, in a file that only its user reads', async () => {
  const file = join(folder, 'new', 'mcp-password');
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => readPassword(file)));
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(others).toEqual([one, one]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'new'))).toEqual(['mcp-password']);
});

it('names the setting where it has no place', async () => {
  await writeFile(join(folder, 'no-folder'), '');
  await expect(readPassword(join(folder, 'no-folder', 'mcp-password'))).rejects.toThrow(
    /^The password of query_bi cannot be stored in .*: .*\. Set AIRANK_DATA_DIR to a folder that can be written$/,
  );
});
