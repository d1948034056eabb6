import { expect, test } from 'vitest';
import { readinessLine } from '../../src/cli/print/readiness.ts';
import type { Lack, ViewReadiness } from '../../src/status/view-readiness.ts';

const lack = (why: Lack['why']): ViewReadiness => ({
  ...{ view: 'bi.a', has_rows: true },
  lacks: [{ column: 'x', shows: 'nothing', field: 's.x', stream: 'citas', why }],
});

test('the line counts views with data, and names the mapping only where somebody can say where a field is', () => {
  const line = (...lacking: ViewReadiness[]) => readinessLine({ count: 3, with_rows: 2, lacking });
  expect(line(lack('never_synced'), lack('absent'))).toBe('2 of 3 views have data');
  expect(line(lack('not_found'))).toBe(
    '2 of 3 views have data; 1 view has columns whose field is not found: airank map',
  );
});
