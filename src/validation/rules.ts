// The rules by which an answer with status 200 is refused, and what makes it count after all. Pure.
import { datesToConfirm, type ValidationRule } from '../core/errors.ts';

interface Rule {
  /**
   * When to ask again. A momentary fault is over at the end of the phase; one that looks like a loss may last for
   * minutes; a walk without an end would cost as much again.
   */
  readonly again: 'this run' | 'half an hour later' | 'next sync';
  /** Meaning of the same answer on this many run dates in a row; undefined if dates alone prove nothing. */
  readonly counts?: { readonly as: 'data' | 'no data'; readonly dates: number };
}

const noData = { again: 'this run', counts: { as: 'no data', dates: datesToConfirm } } as const;
const changed = { again: 'this run', counts: { as: 'data', dates: datesToConfirm } } as const;

const rules: Readonly<Record<ValidationRule, Rule>> = {
  /** Not an object, an empty one, an error, or no list. Accounts without the feature answer like this every day. */
  no_data: noData,
  /** 403 or 404 where there was data. */
  refused: noData,
  /** Another client or record than the one asked for: never stored as this one's. */
  other_client: noData,
  /**
   * Half of the usual fields or values missing, another route's fields, or one record many times. The service may have
   * changed its answers.
   */
  unusual: changed,
  /** Some clients lack the field that identifies them. */
  client_keys: changed,
  /** More published records are missing than usual: two walks that agree prove it (judge-loss.ts). */
  vanished: { again: 'half an hour later' },
  /** The published records came under other keys: a person says which are right. */
  new_keys: { again: 'next sync' },
  /** Pages without an end: nothing new on them, or nothing at all. */
  loop: { again: 'next sync' },
  /** Far more pages than ever before. */
  page_limit: { again: 'next sync', counts: { as: 'data', dates: 2 } },
};

export interface RefusalFacts {
  /** True if anything of this scope was ever published; for the list of clients, if anything is current. */
  readonly hadData: boolean;
  /** True for the list of clients: to lose it is to lose every client, so no number of dates proves it. */
  readonly isClients: boolean;
  /** Run dates in a row, up to the one before this, that failed by the same rule. */
  readonly datesBefore: number;
  readonly isSecondLook: boolean;
  /** Nothing was ever published, and the last run date ended the same way. */
  readonly wasUnavailable: boolean;
}

type Consequence =
  /** Yesterday's data stays current; asked once more at the end of the phase. */
  | 'look again'
  /** Yesterday's data stays current; the slice may be walked again half an hour later. */
  | 'wait'
  /** Yesterday's data stays current; the run exits 1, and the next plain sync asks again. */
  | 'fail'
  /** The account does not have it, which is no fault. `isNews`: this is the first time since there was data. */
  | { readonly end: 'unavailable'; readonly isNews: boolean };

/** After this many endless walks on a run date, the slice is not asked for again on that date. */
export const loopsADay = 2;

/** True if the same answer came on enough run dates to be published; the caller reports it. */
export function isLifted(rule: ValidationRule, datesBefore: number): boolean {
  const { counts } = rules[rule];
  return counts?.as === 'data' && datesBefore >= counts.dates - 1;
}

export function consequenceOf(rule: ValidationRule, facts: RefusalFacts): Consequence {
  const { again, counts } = rules[rule];
  const { datesBefore, hadData, isClients, isSecondLook } = facts;
  if (counts?.as === 'no data') {
    // An answer about another client says nothing of this one.
    if (!hadData && rule !== 'other_client') {
      // A status is clear. A body is asked for twice, unless the last run date ended the same way.
      const isSure = rule === 'refused' || isSecondLook || facts.wasUnavailable;
      return isSure ? { end: 'unavailable', isNews: false } : 'look again';
    }
    if (!isClients && datesBefore >= counts.dates - 1)
      return { end: 'unavailable', isNews: datesBefore === counts.dates - 1 };
  }
  if (again === 'half an hour later' && !isClients) return 'wait';
  return again === 'next sync' || isSecondLook ? 'fail' : 'look again';
}
