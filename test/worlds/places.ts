// Where a field is, in every way in which it may rightly be said.
import type { Place } from './world.ts';

const place = (...paths: string[]): Place => ({ paths });

export const at = place;

/** A date that reads one way only, with or without a reader. */
export const dated = (path: string): Place => place(path, `${path} | dmy`);

/** A date that could be two days. */
export const dayFirst = (path: string): Place => place(`${path} | dmy`);

/** A text with decimals after a comma that no other number could be meant by. */
export const decimalText = (path: string): Place => place(path, `${path} | comma`);

/** A text in which a point groups thousands. */
export const thousands = (path: string): Place => place(`${path} | comma`);

/** As 12,5 %. */
export const percentText = (path: string): Place =>
  place(
    path,
    `${path} | percent`,
    `${path} | comma`,
    `${path} | percent | comma`,
    `${path} | comma | percent`,
  );

/** A share of a hundred that does not say so. */
export const ofHundred = (path: string): Place => place(`${path} | percent`);

const joined = (path: string) => [path, `${path} | join`];

export const list = (path: string): Place => place(...joined(path), ...joined(`${path}[]`));

/** A list of objects that have a name. */
export const namedList = (path: string, name: string): Place =>
  place(...joined(path), ...joined(`${path}[]`), ...joined(`${path}[].${name}`));

export const doubtful = ({ paths }: Place): Place => ({ paths, isDoubtful: true });
