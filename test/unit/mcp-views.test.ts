// What an assistant is told of an empty view, and the password of query_bi in the embedded Postgres.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { ToolError } from '../../src/mcp/form/answer.ts';
import { expectReady } from '../../src/mcp/read/paged.ts';
import { readPassword } from '../../src/mcp/read/query-role.ts';
import { columnsFromStreams } from '../../src/status/view-readiness.ts';
import { oneFolder } from '../support/temp-folder.ts';

const view = 'bi.citation_changes';

/** The code that an assistant is given when these columns lack a field that nothing looks like. */
function codeWithout(columns: readonly string[]) {
  const absent = { shows: 'nothing', stream: 'citations', why: 'absent' } as const;
  const lacks = columns.map((column) => ({ ...absent, column, field: `citations.${column}` }));
  try {
    expectReady({ count: 1, with_rows: 0, lacking: [{ view, has_rows: false, lacks }] }, view);
    return undefined;
  } catch (error) {
    return error instanceof ToolError ? error.code : error;
  }
}

test('an empty view blames its fields only where none of them is found', () => {
  expect(codeWithout(['title', 'is_own'])).toBe('no_data');
  expect(codeWithout(columnsFromStreams([view]).map(({ column }) => column))).toBe('not_mapped');
});

const folder = oneFolder();

it('is made once, by whoever is first, in a file that only its user reads', async () => {
  const file = join(folder, 'new', 'mcp-password');
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => readPassword(file)));
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(others).toEqual([one, one]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'new'))).toEqual(['mcp-password']);
});
