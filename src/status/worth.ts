// How much a column can show, by how much is read of the fields that it is made from.
import { type FieldOrigin, isAlwaysThere, type Origin } from '../db/code/origin.ts';

/** From the least to the most. */
const worths = ['no_data', 'nothing', 'partly', 'read'] as const;

/** `no_data`: the field's source has no rows yet, so nothing can be said of its mapping. */
export type Worth = (typeof worths)[number];

/** Undefined: nothing is missed, because people said that the field is nowhere. */
export type FieldWorth = (source: string, field: string) => Worth | undefined;

const rank = (worth: Worth) => worths.indexOf(worth);

/** Undefined: made from constants, or from fields of which nothing is missed. */
export function worthOf(origin: Origin, of: FieldWorth): Worth | undefined {
  if (origin.kind === 'known') return 'read';
  if (origin.kind === 'field') return of(origin.source, origin.field);
  const parts = origin.of.flatMap((part) => worthOf(part, of) ?? []).sort((a, b) => rank(a) - rank(b));
  if (origin.kind === 'all') return parts[0];
  if (origin.kind === 'any') return parts.at(-1);
  const isKnown = origin.of.some(isAlwaysThere);
  const read = origin.of.filter((part) => !isAlwaysThere(part));
  const best = worthOf({ kind: 'any', of: read }, of);
  // The best of several routes counts: they need not all tell the same.
  return isKnown && best !== undefined && rank(best) < rank('partly') ? 'partly' : best;
}

/** The fields that keep a column from showing everything. */
export function lacking(origin: Origin, of: FieldWorth): readonly FieldOrigin[] {
  const worth = worthOf(origin, of);
  if (origin.kind === 'known' || worth === undefined || worth === 'read') return [];
  return origin.kind === 'field' ? [origin] : once(origin.of.flatMap((part) => lacking(part, of)));
}

/** The fields of any route that may keep all rows away. Routes beside rows that need no field do not. */
export function lackingInRoutes(origin: Origin, of: FieldWorth): readonly FieldOrigin[] {
  if (origin.kind !== 'each') return lacking(origin, of);
  const isKnown = origin.of.some(isAlwaysThere);
  return isKnown ? [] : once(origin.of.flatMap((part) => lackingInRoutes(part, of)));
}

function once(fields: readonly FieldOrigin[]): readonly FieldOrigin[] {
  return [...new Map(fields.map((one) => [`${one.source}.${one.field}`, one])).values()];
}
