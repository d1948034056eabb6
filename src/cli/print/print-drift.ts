// How the data differs from what it held at first, and which views do not show it yet.

import { count } from '../../core/plural.ts';
import type { DriftStatus } from '../../status/drift-report.ts';
import type { StatusReport } from '../../status/read-status.ts';
import { type Cell, table } from './table.ts';
import { wrap } from './wrap.ts';

const mostDrift = 6;

const kinds: Readonly<Record<DriftStatus['kind'], string>> = {
  new_field: 'new field',
  new_type: 'new type',
  field_gone: 'not seen any more',
  identity_conflict: 'key missing or repeated',
};

export function driftLines(
  { drift, stale_views: stale }: Pick<StatusReport, 'drift' | 'stale_views'>,
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const shown = options.all ? drift : drift.slice(0, mostDrift);
  const rows: Cell[][] = shown.map((one) => [
    one.source,
    kinds[one.kind],
    one.type === '' ? one.path : `${one.path} (${one.type})`,
    one.first_run_date,
    one.last_run_date,
    (one.example ?? '').slice(0, 30),
  ]);
  const hidden = drift.length - shown.length;
  return [
    ...(rows.length === 0
      ? []
      : table([['changed data', 'what', 'field', 'first', 'last', 'example'], ...rows], {
          width: options.width,
          wraps: ['what', 'field', 'example'],
          yields: ['example', 'first'],
        })),
    ...(hidden > 0 ? [`… and ${count(hidden)} more (--all)`] : []),
    ...stale.flatMap(({ source, error }) =>
      wrap(
        `Views of ${source} do not show everything: ${error}. The next sync tries again, or: airank views refresh`,
        options.width,
        '! ',
      ),
    ),
  ];
}
