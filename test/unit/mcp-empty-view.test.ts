import { expect, test } from 'vitest';
import { ToolError } from '../../src/mcp/form/answer.ts';
import { expectReady } from '../../src/mcp/read/paged.ts';
import { columnsFromStreams } from '../../src/status/view-readiness.ts';

const view = 'bi.citation_changes';

/** The code that an assistant is given when these columns lack a field that nothing looks like. */
function codeWithout(columns: readonly string[]) {
  const lacks = columns.map((column) => ({
    column,
    shows: 'nothing' as const,
    field: `citations.${column}`,
    stream: 'citations',
    why: 'absent' as const,
  }));
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
