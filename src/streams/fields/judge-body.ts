// What one body with status 200 is: records, or nothing that could be data. Pure. Whether a body without
// data means an account without the feature or a wrong answer is decided by history (sync/walk/belief.ts).

import { isObject } from '../../core/is-object.ts';
import type { Stream } from '../stream.ts';
import { hasErrorMark, saysOnlyError } from './error-marks.ts';

/** What came instead of data. */
export interface NoData {
  readonly expected: string;
  readonly got: string;
}

export type Judged =
  | { readonly kind: 'records'; readonly records: readonly unknown[] }
  | ({ readonly kind: 'nothing' } & NoData);

/** The list of a body that is its own list; the key of every other list is a name. */
export const bodyIsList = '';

/**
 * The records of a list.
 * @param listKey the key of the list; `bodyIsList`: the body itself is the list
 */
export function judgeList(listKey: string, body: unknown): Judged {
  if (listKey === bodyIsList) {
    if (Array.isArray(body)) return { kind: 'records', records: body };
    return nothing('a list as the body', kindOf(body));
  }
  const expected = `a list under "${listKey}"`;
  if (!isObject(body)) return nothing(expected, kindOf(body));
  if (!Object.hasOwn(body, listKey)) {
    if (saysOnlyError(body)) return nothing(expected, 'an error');
    const keys = Object.keys(body);
    return nothing(expected, keys.length === 0 ? 'an empty object' : `the keys ${keys.join(', ')}`);
  }
  const list = body[listKey];
  if (list !== null && !Array.isArray(list)) return nothing(expected, `${kindOf(list)} there`);
  const records = list ?? [];
  if (records.length === 0 && hasErrorMark(body)) return nothing(expected, 'an error beside an empty list');
  return { kind: 'records', records };
}

/** A body that is one record. */
export function judgeSingle(body: unknown): Judged {
  const expected = 'an object with data';
  if (!isObject(body)) return nothing(expected, kindOf(body));
  if (Object.keys(body).length === 0) return nothing(expected, 'an empty object');
  if (saysOnlyError(body)) return nothing(expected, 'an object that only says an error');
  return { kind: 'records', records: [body] };
}

/**
 * Why a single body contradicts what its stream always had; undefined: it does not.
 * @param usual top-level fields that every stored body of the scope has
 */
export function strangeness(usual: readonly string[], body: unknown): NoData | undefined {
  if (usual.length === 0 || !isObject(body)) return undefined;
  const isMarked = hasErrorMark(body);
  if (!isMarked && saysState(body)) return undefined;
  const found = usual.filter((name) => Object.hasOwn(body, name)).length;
  if (found > 0 && !(isMarked && found * 2 < usual.length)) return undefined;
  return {
    expected: `the fields that it always had (${usual.slice(0, 8).join(', ')}${usual.length > 8 ? ', …' : ''})`,
    got: `${found} of ${usual.length} of them${isMarked ? ', and an error' : ''}`,
  };
}

// A state may be all that a body says (docs/api.md, "States and values").
const states =
  /^(unavailable|not[_ -]?available|no[_ -]disponible|insufficient.*|insuficiente|muestra[_ -]insuficiente|in[_ -]progress|running|pending|en[_ -]curso|pendiente)$/i;

/** Whether a body says that there is no data now: an agent without data, a sample that is too small, a run that goes on. */
export function saysState(body: unknown): boolean {
  if (!isObject(body)) return false;
  return Object.values(body).some((value) => typeof value === 'string' && states.test(value));
}

/** Streams whose bodies are judged as one record each. */
export function isSingle(stream: Pick<Stream, 'list' | 'source'>): boolean {
  return stream.list.kind === 'none' || stream.source.kind !== 'walk';
}

/** What a value is, for people. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

function nothing(expected: string, got: string): Judged {
  return { kind: 'nothing', expected, got };
}
