// What the rest of a server tells of one source: identifiers of other records, names of its fields in other sources, and
// how dates and numbers are written there.
import { logicalSources } from '../logical/logical-sources.ts';
import { parsePlace } from '../logical/place.ts';
import type { Reader } from '../logical/reader-names.ts';
import { isVagueName } from './name-score.ts';
import { opposites } from './rows.ts';

export interface Neighbours {
  readonly keysOf: (stream: string) => ReadonlySet<string>;
  /** True if another source has the field under this name. @param isAround it stands beside the rows, there as here */
  readonly hasField: (field: string, keys: readonly string[], isAround: boolean) => boolean;
  /** Returns the reader or its opposite, if other sources need the one and none the other. */
  readonly usual: (reader: Reader) => Reader | undefined;
}

interface FieldPath {
  readonly source: string;
  readonly field: string;
  readonly path: string | null;
}

/** @param mapped fields of the other sources */
export function neighboursOf(keysOf: Neighbours['keysOf'], mapped: readonly FieldPath[]): Neighbours {
  const names = new Set<string>();
  const used = new Set<Reader>();
  for (const { source, field, path } of mapped) {
    if (path === null) continue;
    const { base, steps, readers } = parsePlace(path);
    const keys = steps.flatMap((step) => (step.kind === 'name' ? [step.name] : []));
    names.add(nameOf(field, keys, base !== 'row' || envelopes.has(source)));
    for (const reader of readers) used.add(reader);
  }
  return {
    keysOf,
    hasField: (field, keys, isAround) => names.has(nameOf(field, keys, isAround)),
    usual: (reader) => {
      const opposite = opposites.get(reader);
      if (opposite === undefined || used.has(reader) === used.has(opposite)) return undefined;
      return used.has(reader) ? reader : opposite;
    },
  };
}

const envelopes = new Set(logicalSources.flatMap(({ name, envelope }) => (envelope ? [name] : [])));

/** A last name that says little alone counts with the whole path. */
function nameOf(field: string, keys: readonly string[], isAround: boolean): string {
  const last = keys.slice(-1);
  const telling = last.every(isVagueName) ? keys : last;
  return `${isAround ? '^' : ''}${field} ${telling.join('.').replaceAll(/[_-]/g, '').toLowerCase()}`;
}
