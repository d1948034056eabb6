// Drift as something to tell: data that differs from what it held at first is news, not an incident that lasts.
import type { DriftStatus } from '../../status/status-report.ts';
import type { Findings } from './incidents.ts';

const kinds: Readonly<Record<DriftStatus['kind'], string>> = {
  new_field: 'a new field',
  new_type: 'a new type of the field',
  field_gone: 'no more field',
  identity_conflict: 'records whose key is missing or repeated',
};

/** A cause is the key of a row, which bounds its length. */
const longestCause = 400;

export function findDrift(drift: readonly DriftStatus[]): Findings {
  const incidents = drift.map((one) => ({
    cause: `drift:${one.source}:${one.kind}:${one.path}:${one.type}`.slice(0, longestCause),
    kind: 'drift' as const,
    account: undefined,
    message: textOf(one, null),
    detail: textOf(one, one.example),
  }));
  return { looked: () => false, incidents };
}

/** @param example a value of the data */
function textOf(one: DriftStatus, example: string | null): string {
  return `Stream ${one.source} has ${kinds[one.kind]}${fieldOf(one, example)} since ${one.first_run_date}`;
}

function fieldOf({ kind, path, type }: DriftStatus, example: string | null): string {
  if (kind === 'identity_conflict') return example === null ? '' : ` (${example})`;
  const sample = example === null || kind === 'field_gone' ? '' : `, such as ${example}`;
  return type === '' ? ` ${path}` : ` ${path} (${type}${sample})`;
}
