// The failures and the changes in the data, as `airank status` shows them.

import { count } from '../../core/text.ts';
import type { StatusReport } from '../../status/read-status.ts';
import type { DriftStatus, IncompleteSlice } from '../../status/status-report.ts';
import { type Cell, table } from '../print/table.ts';
import type { Colors } from '../print/text.ts';
import { wrap } from '../print/words.ts';

const mostLines = 8;
const mostNames = 3;
const mostUnavailable = 12;

/** Renders failed slices, those with the same error on one line: a refused key is not printed 40 times. */
export function failureLines(
  failed: readonly IncompleteSlice[],
  options: { readonly all: boolean; readonly width: number; readonly colors: Colors },
): string[] {
  const { all, width, colors } = options;
  const groups = all ? failed.map((slice) => [slice]) : alike(failed);
  const shown = all ? groups : groups.slice(0, mostLines);
  const lines = shown.flatMap((group) => wrap(textOf(group), width, '  ✗ ').map(colors.red));
  const hidden = groups.slice(shown.length).flat().length;
  return hidden === 0 ? lines : [...lines, `  … and ${count(hidden)} more failed (--all)`];
}

/** Lists what an account does not have, with the server's answer and the date until which there was data. */
export function unavailableLines(
  unavailable: readonly IncompleteSlice[],
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const groups = alike(unavailable);
  const shown = options.all ? groups : groups.slice(0, mostLines);
  const lines = shown.flatMap((group) => {
    const names = (options.all ? group : group.slice(0, mostUnavailable)).map(nameWithDate).join(', ');
    const hidden = group.length - mostUnavailable;
    const more = options.all || hidden <= 0 ? '' : ` and ${count(hidden)} more`;
    const reason = group[0]?.error ?? null;
    return wrap(
      `no data: ${names}${more}${reason === null ? '' : `: ${routeless(reason)}`}`,
      options.width,
      '  ! ',
    );
  });
  const hidden = groups.slice(shown.length).flat().length;
  return hidden === 0 ? lines : [...lines, `  … and ${count(hidden)} more without data (--all)`];
}

function nameWithDate(slice: IncompleteSlice): string {
  return slice.published === null ? nameOf(slice) : `${nameOf(slice)}, data until ${slice.published}`;
}

export function nameOf(slice: { readonly stream: string; readonly client_id: string }): string {
  return slice.client_id === '' ? slice.stream : `${slice.stream} (client ${slice.client_id})`;
}

/** Groups slices by error; errors that differ only in the route are one. */
function alike(failed: readonly IncompleteSlice[]): readonly (readonly IncompleteSlice[])[] {
  const groups = new Map<string, IncompleteSlice[]>();
  for (const slice of failed) {
    const key = routeless(slice.error);
    const group = groups.get(key) ?? [];
    group.push(slice);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function routeless(error: string | null): string {
  return (error ?? 'unknown').replace(/^GET \S+ /, '');
}

function textOf(group: readonly IncompleteSlice[]): string {
  const [first] = group;
  if (first === undefined) return '';
  if (group.length === 1) return `failed: ${nameOf(first)}: ${first.error ?? 'unknown'}`;
  const names = group.slice(0, mostNames).map(nameOf).join(', ');
  const more = group.length > mostNames ? ` and ${count(group.length - mostNames)} more` : '';
  return `failed: ${names}${more}: ${routeless(first.error)}`;
}

const mostDrift = 6;

const kinds: Readonly<Record<DriftStatus['kind'], string>> = {
  new_field: 'new field',
  new_type: 'new type',
  field_gone: 'not seen any more',
  identity_conflict: 'key missing or repeated',
};

/** Renders how the data differs from what it held at first, and which views do not show it yet. */
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
