// Wanted: lists that came shorter, and clients that leave (points 3 and 10).

import type { FaultName } from '../faults/all.ts';
import { type Kind, lists, paged } from '../kinds.ts';
import type { Wanted } from '../wanted-types.ts';

/**
 * Vanishing needs proof: a second walk half an hour later confirms it, or the next run date's. Wrong once, the second walk
 * brings the truth.
 */
function confirmed(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return {
    fault,
    kinds,
    once: { never: 'claim|truth', had: 'truth|failed' },
    never: ['claim|truth'],
    had: ['claim|failed', 'claim'],
  };
}

/** The same of a part that is another one each day: each date lacks others. */
function partly(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return {
    ...confirmed(fault, kinds),
    once: { never: 'claim|truth', had: 'truth|failed' },
    never: ['claim|truth', 'claim|truth|failed'],
    had: ['claim|failed'],
    heals: 'third',
  };
}

/** An archive of 20 or more that comes back empty needs its confirming walk on a later run date. */
function emptyArchive(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return { ...confirmed(fault, kinds), had: ['failed', 'claim'] };
}

/** Nothing suspicious: believed at once, without another walk. */
function atOnce(fault: FaultName, kinds: readonly Kind[]): Wanted {
  return { fault, kinds, once: { never: 'claim', had: 'claim' }, never: ['claim'], had: ['claim'] };
}

export const wantedLists: readonly Wanted[] = [
  confirmed('empty list', ['state', 'client list']),
  confirmed('list is null', ['state', 'client list']),
  emptyArchive('empty list', ['archive', 'client history']),
  emptyArchive('list is null', ['archive', 'client history']),
  emptyArchive('CSV header only', ['csv']),
  partly('half the records', [...lists, 'csv']),
  ...(
    [
      ['half the records with status 206', lists],
      ['half the records beside an error', ['archive', 'state', 'client list']],
      ['a full page without its cursor', paged],
      ['page 2 is page 1 again', paged],
    ] as const
  ).map(([fault, kinds]) => partly(fault, kinds)),
  confirmed('a page lost from the middle', ['archive', 'state', 'client list']),
  // A record of a list of several pages may have slipped over the end of one: a second walk has to lack it too.
  { ...atOnce('one record gone', paged), once: { never: 'claim', had: 'truth' } },
  atOnce('one record gone', ['client history', 'csv']),
  // A client ends when the lists of two run dates lack it; a list that lacks nearly all is not published before.
  { ...confirmed('one client gone', ['clients']), had: ['truth', 'claim'] },
  { ...confirmed('half the records', ['clients']), had: ['truth', 'claim'] },
  { ...confirmed('empty list', ['clients']), had: ['failed', 'claim'] },
  { ...confirmed('list is null', ['clients']), had: ['failed', 'claim'] },
  // Another identifier is set by hand alone; nobody leaves by it.
  {
    fault: 'id field renamed',
    kinds: ['clients'],
    once: { never: 'truth|failed|claim in need', had: 'truth|failed' },
    // Nobody can ask for clients without an identifier: their list is there, and the run says what to set.
    never: ['claim in need'],
    had: ['failed'],
    heals: 'sync',
  },
];
