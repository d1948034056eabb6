// What was found in the data and then fixed: which list of an answer, and what identifies a record.
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/plural.ts';
import type { KeyedStream } from '../../status/read-status.ts';
import { wrap } from './wrap.ts';

const mostNames = 4;

export function pinLines(
  pins: readonly KeyedStream[],
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const lists = pins.flatMap((pin) => (pin.list_key === null ? [] : [`${pin.stream} \`${pin.list_key}\``]));
  const keys = [...groupBy(pins, (pin) => describeKey(pin.record_key))].map(([key, streams]) => {
    const names = streams.map((pin) => pin.stream);
    const short = !options.all && names.length > mostNames;
    return `${key} (${short ? plural(names.length, 'stream') : names.join(', ')})`;
  });
  return [
    ...wrap(
      'Record keys and lists (to change them: streams.<name>.list and .keys in airank.config.yaml)',
      options.width,
    ),
    ...(lists.length === 0 ? [] : wrap(`list found in the answer: ${lists.join(', ')}`, options.width, '  ')),
    ...(options.all
      ? keys.flatMap((key) => wrap(key, options.width, '  '))
      : wrap(`${keys.join(', ')}`, options.width, '  ')),
  ];
}

/** `key id`, `key fecha + metodo`, `key: content`. */
export function describeKey(key: KeyedStream['record_key']): string {
  if (key === null || key === undefined) return 'key not known yet';
  if (key.length === 0) return 'key: content';
  return `key ${key.map((path) => (path.length === 0 ? '(the record itself)' : path.join('.'))).join(' + ')}`;
}
