// Where a field is, in every way in which it may rightly be said.
import type { Place } from './world.ts';

export const at = (...paths: string[]): Place => ({ paths });

/** A date that reads one way only, with or without a reader. */
export const dated = (path: string): Place => at(path, `${path} | dmy`);

/** A date that could be two days. */
export const dayFirst = (path: string): Place => at(`${path} | dmy`);

/** A text with decimals after a comma that no other number could be meant by. */
export const decimalText = (path: string): Place => at(path, `${path} | comma`);

/** A text in which a point groups thousands. */
export const thousands = (path: string): Place => at(`${path} | comma`);

/** As 12,5 %. */
export const percentText = (path: string): Place =>
  at(path, `${path} | percent`, `${path} | comma`, `${path} | percent | comma`, `${path} | comma | percent`);

/** A share of a hundred that does not say so. */
export const ofHundred = (path: string): Place => at(`${path} | percent`);

/** A percentage, told as a share. */
export const percent = (path: string): Place =>
  at(`${path} | percent`, `${path} | percent | point`, `${path} | point | percent`);

/** A text with a thousands separator or a currency: the reader does no harm. */
export const money = (path: string): Place => at(path, `${path} | point`);

/** A list of scalars, or of objects that are named by their members. */
export const list = (path: string, ...members: string[]): Place =>
  at(
    ...[path, `${path}[]`, ...members.map((member) => `${path}[].${member}`)].flatMap((one) => [
      one,
      `${one} | join`,
    ]),
  );

export const doubtful = ({ paths }: Place): Place => ({ paths, isDoubtful: true });
