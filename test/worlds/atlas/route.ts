// What a route is asked, and the ways to say where something is.
import type { Place } from '../world.ts';
import { type Firm, firms } from './firms.ts';

export interface Request {
  readonly query: URLSearchParams;
  readonly day: number;
  readonly firm: Firm;
}

export type Routes = Readonly<Record<string, (request: Request) => unknown>>;

export const at = (...paths: string[]): Place => ({ paths });

/** A text with a thousands separator or a currency: the reader does no harm. */
export const money = (path: string): Place => at(path, `${path} | point`);

export const dmy = (path: string): Place => at(`${path} | dmy`);

/** A percentage, told as a share. */
export const percent = (path: string): Place =>
  at(`${path} | percent`, `${path} | percent | point`, `${path} | point | percent`);

/** A list of scalars, or of objects that are named by their members. */
export const list = (path: string, ...members: string[]): Place =>
  at(
    ...[path, `${path}[]`, ...members.map((member) => `${path}[].${member}`)].flatMap((one) => [
      one,
      `${one} | join`,
    ]),
  );

/** Records of every client in turn. */
export const ofFirms = <T>(make: (firm: Firm, index: number) => readonly T[]): T[] => firms.flatMap(make);
