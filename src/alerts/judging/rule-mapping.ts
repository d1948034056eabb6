// Whether a rule can read what it judges by, and where that was found. Pure.
import { createHash } from 'node:crypto';
import type { Rule } from './rule.ts';

/** Of each source: its rows, and which client they are of. */
const ofEachSource = ['(rows)', 'client'];

interface Found {
  readonly path: string;
  /** Run date of the first record that had it; undefined: it may always have been there. */
  readonly since: string | undefined;
}

export interface RuleMapping {
  readonly canJudge: boolean;
  /** Another text once what the rule reads was found elsewhere. */
  readonly text: string;
  /**
   * Whether a rule that began on a date with another text goes on: what is mapped beside it came into the data after that
   * date, such as the first result. What was there and was not mapped begins it anew.
   */
  goesOn(began: { readonly date: string; readonly mapping: string }): boolean;
}

/** @param places by `source.field` */
export function ruleMapping(
  { needs, alsoReads }: Pick<Rule, 'needs' | 'alsoReads'>,
  places: ReadonlyMap<string, Found>,
): RuleMapping {
  const fields = [...needs.flat(), ...alsoReads];
  const sources = new Set(fields.map((field) => field.split('.')[0]));
  const read = [
    ...fields,
    ...[...sources].flatMap((source) => ofEachSource.map((field) => `${source}.${field}`)),
  ];
  const found = read.flatMap((field) => {
    const place = places.get(field);
    return place === undefined ? [] : [{ field, path: place.path, since: place.since ?? '' }];
  });
  const textUntil = (date: string) => {
    const then = found.flatMap(({ field, path, since }) => (since <= date ? [[field, path]] : [])).sort();
    return createHash('sha256').update(JSON.stringify(then)).digest('hex');
  };
  const text = textUntil('9999-12-31');
  return {
    canJudge: needs.every((ways) => ways.some((field) => places.has(field))),
    text,
    goesOn: ({ date, mapping }) =>
      mapping === text ||
      [date, ...found.map(({ since }) => since).filter((since) => since > date)].some(
        (until) => textUntil(until) === mapping,
      ),
  };
}
