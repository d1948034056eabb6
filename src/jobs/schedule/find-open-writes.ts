// Writes that somebody has to decide on, as an incident that lasts until they are sent or left. Pure.
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/text.ts';
import type { OpenWrites } from '../../writes/store/list-writes.ts';
import type { WriteKind } from '../../writes/store/write-book.ts';
import type { Findings, Incident } from './incidents.ts';

const names: Readonly<Record<WriteKind, readonly [one: string, many: string]>> = {
  logs: ['upload of logs', 'uploads of logs'],
  questions: ['request with questions', 'requests with questions'],
  measurement: ['measurement', 'measurements'],
};

/** What waits or is on its way is no incident. */
export function findOpenWrites(open: readonly OpenWrites[]): Findings {
  const undecided = open.filter(({ status }) => status === 'unknown' || status === 'refused');
  const groups = groupBy(undecided, ({ account, kind }) => `writes:${account}:${kind}`);
  return {
    looked: (cause) => cause.startsWith('writes:'),
    incidents: [...groups].flatMap(([cause, group]) => incidentOf(cause, group)),
  };
}

/** Names of files stay out of it. */
function incidentOf(cause: string, group: readonly OpenWrites[]): Incident[] {
  const [first] = group;
  if (first === undefined) return [];
  const { account, kind } = first;
  const [one, many] = names[kind];
  const told = (['unknown', 'refused'] as const).flatMap((status) => {
    const writes = group.reduce((sum, part) => sum + (part.status === status ? part.writes : 0), 0);
    if (writes === 0) return [];
    const what = plural(writes, one, many);
    return status === 'refused'
      ? [`${what} ${writes === 1 ? 'was' : 'were'} refused`]
      : [`nobody knows whether ${what} arrived`];
  });
  const message = `Account ${account}: ${told.join(', and ')}. airank writes says what to do`;
  return [{ cause, kind: 'writes_open', account, message }];
}
