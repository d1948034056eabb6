// Wanted: pages that moved, walks that do not end, and cursors (points 4, 5 and 8).
import { cursorRefusals } from '../faults/names.ts';
import { paged } from '../kinds.ts';
import type { Wanted } from '../wanted-types.ts';

/** A loop is found within a few pages, and costs no more than one more try in a run. */
const loopRequests = 60;

function loop(fault: Wanted['fault']): Wanted {
  return {
    fault,
    kinds: paged,
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
    requests: loopRequests,
  };
}

function harmless(fault: Wanted['fault']): Wanted {
  return {
    fault,
    kinds: paged,
    once: { never: 'truth', had: 'truth' },
    never: ['truth'],
    had: ['truth'],
  };
}

export const wantedWalks: readonly Wanted[] = [
  // A record that came twice shows that pages moved: walked again at once.
  {
    fault: 'inserted at the start while walking',
    kinds: paged,
    once: { never: 'truth', had: 'truth' },
    never: ['at least|truth'],
    had: ['at least|truth'],
    heals: 'next',
  },
  // A skipped record ends only when a second walk skips it too.
  {
    fault: 'deleted at the start while walking',
    kinds: paged,
    once: { never: 'claim|truth', had: 'truth' },
    never: ['claim'],
    had: ['claim'],
    heals: 'next',
  },
  {
    fault: 'sorted anew while walking',
    kinds: paged,
    once: { never: 'truth', had: 'truth' },
    never: ['truth|others'],
    had: ['truth'],
    heals: 'next',
  },
  loop('the same page for ever'),
  loop('a cycle of pages'),
  loop('empty pages for ever'),
  harmless('shuffled pages'),
  harmless('some empty pages'),
  harmless('ends on a full page'),
  {
    fault: 'endless fresh records',
    kinds: ['state', 'client list'],
    once: { never: 'truth|failed|deferred', had: 'truth|failed|deferred' },
    never: ['failed|deferred'],
    had: ['failed|deferred'],
    // Half a day for a first walk; a whole one where the server is believed on the second date.
    requests: 1_500,
  },
  // The limit of pages alone is believed on the second run date past it.
  {
    fault: 'far more pages than before',
    kinds: ['client list'],
    once: { never: 'claim|truth|failed', had: 'truth|failed' },
    never: ['claim|failed', 'claim'],
    // All records that were there are gone, too: that needs a second look.
    had: ['failed', 'failed', 'claim'],
    heals: 'third',
  },
  ...cursorRefusals.map(
    (status): Wanted => ({
      fault: `cursor answers ${status}`,
      kinds: paged,
      once: { never: 'truth', had: 'truth' },
      never: ['failed'],
      had: ['failed', 'failed', 'failed'],
    }),
  ),
  {
    fault: 'cursor of 100 KB',
    kinds: paged,
    once: { never: 'failed|truth', had: 'failed|truth' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  },
];
