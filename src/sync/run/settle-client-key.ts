// When clients can no longer be identified, none of them counts as gone: a new key is found, or nothing is published.
import { datesToConfirm, ValidationError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import type { RecordKey } from '../../store/pages/incoming.ts';
import { alikeInWalk, findRecordKey, isCandidate, replaceRecordKey } from '../../store/pages/record-keys.ts';
import type { Scope, SliceKey } from '../../store/slices/slices.ts';
import { countUnkeyed, holdsEveryClient } from '../../store/validation/clients.ts';
import type { Stream } from '../../streams/stream.ts';
import { alikeText } from './alike-text.ts';

export interface ClientList {
  readonly db: Executor;
  readonly slice: Scope & SliceKey;
  readonly stream: Stream;
  readonly fixed: RecordKey | undefined;
  /** It failed for the same reason on enough run dates: clients are known by what is there now. */
  readonly isLifted: boolean;
  onConfirmed(notice: string): void;
}

/**
 * FixedKeys another key where the fixed one is missing from a client of the walked list.
 * @throws ValidationError when no other key says who the published clients are
 */
export async function settleClientKey(list: ClientList): Promise<void> {
  const { db, slice, stream, fixed, isLifted } = list;
  if (fixed === undefined || fixed.length === 0) return;
  const unkeyed = await countUnkeyed(db, slice, fixed);
  if (unkeyed === 0) return;
  const found = (await findRecordKey(db, slice, stream)) ?? [];
  // A candidate is taken at once; a field that is only named like one, after as many dates as any other answer.
  const isNamed = found.length > 0 && isCandidate(found, { keys: stream.keys, keysConfigured: true });
  const isSure = isNamed && (await holdsEveryClient(db, slice, found));
  if (!isSure && !isLifted) {
    const alike = alikeText(await alikeInWalk(db, slice, stream));
    throw new ValidationError(
      `Expected every client to have an identifier in ${nameOf(fixed)}, got ${unkeyed} without; nothing was published and ` +
        `no client counts as gone. If the field has another name now, set streams.${stream.name}.keys in airank.config.yaml${alike}`,
      { rule: 'client_keys' },
      { account: slice.account, stream: stream.name, route: stream.route },
    );
  }
  await replaceRecordKey(db, slice, fixed, found);
  const dates = isSure ? '' : ` after ${datesToConfirm} run dates`;
  list.onConfirmed(`Clients are identified by ${nameOf(found)} now${dates}; ${nameOf(fixed)} is gone`);
}

function nameOf(key: RecordKey): string {
  return key.length === 0 ? 'their content' : key.map((path) => path.join('.')).join(' and ');
}
