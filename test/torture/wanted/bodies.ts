// Wanted: bodies of which the shape is wrong (points 1 and 2: shape of lists, of single bodies and details).
import type { FaultName } from '../faults/all.ts';
import { errorBodies, noLists, noObjects } from '../faults/names.ts';
import { type Kind, lists, singles, values } from '../kinds.ts';
import type { Wanted } from '../wanted-types.ts';

/** Wrong once: asked again within the run, or refused by it. */
const once = { never: 'truth|failed|no data', had: 'truth|failed' } as const;

/**
 * An account without a feature may answer so every day: no data where there never was any. Where there was, it
 * is refused on two run dates and believed on the third.
 */
function noData(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return { fault, kinds, once, never: ['no data'], had: ['failed', 'failed', 'no data|claim'] };
}

/** An array where an object is expected, or no array under the key: never a list. */
function refused(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return { fault, kinds, once, never: ['failed|no data'], had: ['failed', 'failed', 'failed|no data|claim'] };
}

/** One of several values: the others are published, and this one is asked again on later run dates. */
function oneOfMany(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return {
    fault,
    kinds,
    once: { never: 'truth|others', had: 'truth|others' },
    never: ['others'],
    had: ['others'],
    // Refused on three run dates it is asked for weekly.
    heals: 'week',
  };
}

/** Published where nothing is known; where something is, on the third run date. */
function strange(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return {
    fault,
    kinds,
    once: { never: 'claim', had: 'truth|failed' },
    never: ['claim'],
    had: ['failed', 'failed', 'claim'],
    heals: 'third',
  };
}

const names = Object.keys as <Name extends string>(object: Record<Name, unknown>) => Name[];
const empties = [...names(errorBodies), ...names(noObjects), 'empty object'] as const;
/** Met by every kind of route; the others by one kind of each shape. */
const everywhere: readonly FaultName[] = [
  'error only',
  'ok false',
  'Mensaje only',
  'body is false',
  'empty object',
];
const met = (fault: FaultName, many: readonly Kind[], few: readonly Kind[]) =>
  everywhere.includes(fault) ? many : few;

const knownLists: readonly Kind[] = ['state', 'client list', 'client history'];

export const wantedBodies: readonly Wanted[] = [
  ...empties.map((fault) => noData(fault, met(fault, [...singles, ...values], ['single', 'ask']))),
  ...empties.map((fault) => noData(fault, met(fault, knownLists, ['client list']))),
  // A body without a list may fail as well, where the reference gives no list key and none was found yet.
  ...empties.map((fault) => ({ ...noData(fault, ['archive']), never: ['no data|failed'] as const })),
  ...empties.map((fault) => oneOfMany(fault, ['details'])),
  noData('bare array', singles),
  noData('empty array', [...singles, ...values]),
  oneOfMany('empty array', ['details']),
  refused('bare array', knownLists),
  refused('empty array', knownLists),
  // Never had: the body itself may be the list of a route whose list the reference does not name.
  {
    ...refused('bare array', ['archive']),
    never: ['failed|no data|claim'],
    once: { never: 'truth|failed|claim', had: 'truth|failed' },
    heals: 'third',
  },
  {
    ...refused('empty array', ['archive']),
    never: ['failed|no data|claim'],
    once: { never: 'truth|failed|claim', had: 'truth|failed' },
    heals: 'third',
  },
  ...names(noLists).map((fault) => refused(fault, lists)),
  noData('list key missing', knownLists),
  { ...noData('list key missing', ['archive']), never: ['no data|failed'] },
  noData('list key renamed', knownLists),
  // Any key may be the name of a list that was never read.
  {
    ...noData('list key renamed', ['archive']),
    never: ['truth|claim'],
    once: { never: 'truth|failed|claim', had: 'truth|failed' },
    heals: 'third',
  },
  ...(
    [
      'error beside an empty list',
      'error beside an empty list in its envelope',
      'success false beside an empty list',
      'a list of one error',
    ] as const
  ).map((fault) => noData(fault, lists)),
  strange('no usual field', singles),
  {
    fault: 'error and few usual fields',
    kinds: singles,
    once: { never: 'claim|no data|truth', had: 'truth|failed' },
    never: ['claim|no data'],
    had: ['failed', 'failed', 'claim|no data'],
    heals: 'third',
  },
  strange('every value null', singles),
  strange('words in place of figures', ['single', 'client single']),
  // The shape seen on one date binds nobody: the truth of the next date is published.
  { ...strange('a page about maintenance', singles), healsOnce: 'next' },
  strange('records stripped to their key', [...lists, 'csv']),
  // Beside that, all that was there is gone.
  {
    ...strange('records of another route', lists),
    once: { never: 'claim|truth', had: 'truth|failed' },
    had: ['failed', 'failed', 'failed|claim'],
    heals: 'week',
  },
  // Beside that, all other records are gone.
  {
    ...strange('one record 120 times', [...lists, 'csv']),
    never: ['claim', 'claim', 'claim|failed'],
    had: ['failed', 'failed', 'failed|claim'],
  },
  oneOfMany('trace of another run', ['details']),
  oneOfMany('the list in place of details', ['details']),
  {
    fault: 'records of another client',
    kinds: ['client list', 'client history'],
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed', 'failed', 'no data'],
    had: ['failed', 'failed', 'no data'],
  },
  {
    fault: 'body of another client',
    kinds: ['client single'],
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed', 'failed', 'no data'],
    had: ['failed', 'failed', 'no data'],
  },
  // Documented states are data at once, whatever was there before.
  ...(
    [
      ['state unavailable', 'agent state'],
      ['status unavailable', 'agent state'],
      ['research in progress', 'research'],
      ['surfaces not available', 'surfaces'],
      ['demand not_available', 'demand'],
      ['insufficient benchmark', 'benchmark'],
    ] as const
  ).map(
    ([fault, kind]): Wanted => ({
      fault,
      kinds: [kind],
      // An empty list of cuts waits for a second look, as any list that comes back empty.
      once: { never: 'claim', had: fault === 'insufficient benchmark' ? 'failed' : 'claim' },
      never: ['claim'],
      had: fault === 'insufficient benchmark' ? ['claim|failed', 'claim'] : ['claim'],
    }),
  ),
];
