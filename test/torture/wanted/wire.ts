// Wanted: statuses, the wire, refusals and bodies that are hard to carry (points 6, 7, 9 and 11).
import type { FaultName } from '../faults/all.ts';
import { type Kind, lists, singles, values } from '../kinds.ts';
import type { Wanted } from '../wanted-types.ts';

const whole: readonly Kind[] = [...singles, ...lists, 'csv', 'clients'];
const all: readonly Kind[] = [...whole, ...values];
const few: readonly Kind[] = ['single', 'archive', 'client list', 'csv'];

/** Earned: never had, or refused on three run dates in a row. */
function unavailable(fault: FaultName): Wanted {
  return {
    fault,
    kinds: all,
    once: { never: 'truth|no data|others', had: 'truth|others' },
    never: ['no data'],
    had: ['failed', 'failed', 'no data'],
  };
}

/** Tried again within the run, as often as the setting says. */
function retried(fault: FaultName): Wanted {
  return {
    fault,
    kinds: all,
    once: { never: 'truth', had: 'truth' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  };
}

function oneTrace(wanted: Wanted): Wanted {
  return {
    ...wanted,
    kinds: ['details'],
    once: { never: 'truth|others', had: 'truth|others' },
    never: ['others|failed'],
    had: ['others|failed'],
    // Refused on three run dates it is asked for weekly.
    heals: 'week',
  };
}

/** Waited for inside the run; for ever, it is given up without a verdict about the data. */
function waited(fault: FaultName, ever: 'deferred' | 'failed|deferred'): Wanted {
  return {
    fault,
    kinds: ['single', 'archive', 'client list', 'csv', 'clients'],
    once: { never: 'truth', had: 'truth' },
    never: [ever],
    had: [ever, ever, ever],
    closesKey: true,
  };
}

const broken = [
  'answers 500',
  'truncated',
  'reset',
  'hangs',
  'HTML with 200',
  'empty body',
] as const satisfies FaultName[];

export const wantedWire: readonly Wanted[] = [
  unavailable('answers 404'),
  unavailable('answers 403'),
  oneTrace(unavailable('answers 404')),
  oneTrace(unavailable('answers 403')),
  // About the key and never about the route.
  {
    fault: 'answers 401',
    kinds: all,
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  },
  ...broken.map((fault) => ({
    ...retried(fault),
    kinds: fault === 'answers 500' ? all : few,
  })),
  ...broken.map((fault) => oneTrace(retried(fault))),
  {
    fault: 'nested 5,000 deep',
    kinds: [...singles, ...lists, ...values],
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  },
  {
    fault: 'nested 250 deep',
    kinds: ['single', 'state'],
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  },
  {
    fault: 'nested 150 deep',
    kinds: ['single', 'state'],
    // A list then lacks a record, which a second walk looks for.
    once: { never: 'claim', had: 'truth|claim' },
    never: ['claim'],
    had: ['claim'],
  },
  // Asked once more, then published with the replacement counted.
  {
    fault: 'invalid UTF-8',
    kinds: ['single', 'archive', 'state', 'client list', 'csv'],
    once: { never: 'truth', had: 'truth' },
    never: ['claim'],
    had: ['claim'],
  },
  waited('retryAfter 121', 'failed|deferred'),
  waited('retryAfter 1e9', 'deferred'),
  waited('retryAfter "x"', 'deferred'),
  waited('retryAfter -1', 'deferred'),
  // The key is closed until then, and the rest is deferred.
  {
    ...waited('retryAfter 7200', 'deferred'),
    once: { never: 'deferred', had: 'deferred' },
  },
  {
    fault: 'CSV that is JSON',
    kinds: ['csv'],
    once: { never: 'truth|failed|no data', had: 'truth|failed' },
    never: ['failed|no data'],
    had: ['failed', 'failed', 'failed|no data'],
  },
  {
    fault: 'CSV cut in a row',
    kinds: ['csv'],
    once: { never: 'truth|failed', had: 'truth|failed' },
    never: ['failed'],
    had: ['failed', 'failed', 'failed'],
  },
];
