// Cursors: opaque, tied to route, client, date and offset, and refused when they are anything else.
import { hashOf } from './random.ts';

export interface CursorPlace {
  readonly route: string;
  /** '' for the account itself. */
  readonly client: string;
}

export interface Position {
  /** The day the walk began with; later pages of a walk stay on it. */
  readonly day: number;
  readonly offset: number;
}

/** The cursor of a position: base64url, no meaning to the caller. */
export function encodeCursor(seed: number, place: CursorPlace, position: Position): string {
  const fields = [position.day, position.offset, checkOf(seed, place, position)];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** The position of a cursor; undefined when it is garbage or belongs to another route or client. */
export function decodeCursor(seed: number, place: CursorPlace, cursor: string): Position | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields) || fields.length !== 3) return undefined;
  const [day, offset] = fields;
  if (!Number.isSafeInteger(day) || !Number.isSafeInteger(offset)) return undefined;
  const position = { day: Number(day), offset: Number(offset) };
  return encodeCursor(seed, place, position) === cursor ? position : undefined;
}

function checkOf(seed: number, place: CursorPlace, position: Position): number {
  return hashOf(seed, place.route, place.client, position.day, position.offset);
}
