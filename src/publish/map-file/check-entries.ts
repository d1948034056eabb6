// Whether each line of the file says something that can be stored: a field that there is, at a path that is one. Pure.
import { faultText, shown } from '../../config/fault.ts';
import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { canonical } from '../../mapping/change-mapping.ts';
import type { MapEntry } from './read-map-file.ts';

/** By field. @throws ConfigError naming each line that is wrong @param known all fields */
export function saidIn(
  entries: readonly MapEntry[],
  name: string,
  known: readonly string[],
): ReadonlyMap<string, string | null> {
  const faults: string[] = [];
  const said = new Map<string, string | null>();
  for (const { field, path, line } of entries) {
    const place = `${name}:${line}`;
    if (!known.includes(field)) {
      const fix = didYouMean(field, known) ?? 'airank map --all --output - lists all';
      faults.push(
        faultText({ place, expected: 'about a field of the curated views', got: shown(field), fix }),
      );
      continue;
    }
    try {
      said.set(field, canonical(field, path));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => `${place}: ${field}: ${fault}`));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return said;
}
