// Whether a rule can read what it judges by, and where that was found. Pure.
import { createHash } from 'node:crypto';
import type { Rule } from './rule.ts';

/** Of each source: its rows, and which client they are of. */
const ofEachSource = ['(rows)', 'client'];

/**
 * Another text once what the rule reads was found elsewhere.
 * @param places by `source.field`
 * @returns undefined: it cannot judge
 */
export function ruleMapping(
  { needs, alsoReads }: Pick<Rule, 'needs' | 'alsoReads'>,
  places: ReadonlyMap<string, string>,
): string | undefined {
  if (!needs.every((ways) => ways.some((field) => places.has(field)))) return undefined;
  const fields = [...needs.flat(), ...alsoReads];
  const sources = new Set(fields.map((field) => field.split('.')[0]));
  const read = [
    ...fields,
    ...[...sources].flatMap((source) => ofEachSource.map((field) => `${source}.${field}`)),
  ];
  const found = read.flatMap((field) => (places.has(field) ? [[field, places.get(field)]] : [])).sort();
  return createHash('sha256').update(JSON.stringify(found)).digest('hex');
}
