// A part of the world: some routes, and where the logical fields are in them.
import type { Place, Routes, Truth } from '../world.ts';
import type { Owner } from './owners.ts';

export interface Theme {
  readonly routes: Routes<Owner>;
  readonly truth: Truth;
}

export function is(...paths: string[]): Place {
  return { paths };
}

/** For a careful person too. */
export function unsure(...paths: string[]): Place {
  return { paths, isDoubtful: true };
}

/** Decimals with a comma that are never of the kind 1,234 or 1.234: they read alike without the reader. */
export function withComma(path: string): Place {
  return is(`${path} | comma`, path);
}

/** A list, of texts or of objects that this member names; joined as text all the same. */
export function listed(path: string, member?: string): Place {
  const each = member === undefined ? `${path}[]` : `${path}[].${member}`;
  return is(path, each, `${each} | join`);
}
