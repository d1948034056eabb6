// When an answer that contradicts the stored data is confirmed: when a second walk agrees, or when the answer
// is the same on three run dates. Pure.
import { datesToConfirm, type ValidationRule } from '../core/errors.ts';

export interface ConfirmationFacts {
  /** True if anything of this scope was ever published; for the list of clients, if anything is current. */
  readonly hadData: boolean;
  /** It is the list of clients: an account that lost it has lost all of them, so no number of dates proves it. */
  readonly isClients: boolean;
  /** Run dates in a row, just before this one, that failed by the same rule. */
  readonly datesBefore: number;
  /** This walk is the second one of this run. */
  readonly isSecondLook: boolean;
  /** Nothing was ever published, and the last run date ended the same way. */
  readonly wasUnavailable: boolean;
  readonly needsLaterDate: boolean;
}

type Confirmation =
  /** Yesterday stays current; asked once more at the end of the phase. */
  | 'look again'
  /** Yesterday stays current, the run exits 1, and the next plain sync asks again. */
  | 'fail'
  /** The account does not have it: no fault. `news`: for the first time, after there had been data. */
  | { readonly end: 'unavailable'; readonly isNews: boolean };

/** Run dates before this one after which a walk is made without the rule; undefined: the rule always holds. */
const liftedAfter: Readonly<Partial<Record<ValidationRule, number>>> = {
  unusual: datesToConfirm - 1,
  client_keys: datesToConfirm - 1,
  page_limit: 1,
};

/** Walks of a run date after which pages without an end are not asked for again on that date. */
export const loopsADay = 2;

/** Whether the same answer came on enough run dates for its content to be published; the caller tells of it. */
export function isLifted(rule: ValidationRule, datesBefore: number): boolean {
  const lifted = liftedAfter[rule];
  return lifted !== undefined && datesBefore >= lifted;
}

export function confirm(rule: ValidationRule, facts: ConfirmationFacts): Confirmation {
  switch (rule) {
    case 'loop':
    case 'page_limit':
    case 'new_keys':
      // A second walk in the same run would cost as much again.
      return 'fail';
    case 'unusual':
    case 'vanished':
    case 'client_keys':
      return facts.isSecondLook || facts.needsLaterDate ? 'fail' : 'look again';
    case 'other_client':
      // Data of another client is never shown as this client's, whatever was there before.
      return withoutData(rule, { ...facts, hadData: true });
    case 'no_data':
    case 'refused':
      return withoutData(rule, facts);
  }
}

function withoutData(rule: ValidationRule, facts: ConfirmationFacts): Confirmation {
  if (facts.hadData) {
    if (!facts.isClients && facts.datesBefore >= datesToConfirm - 1)
      return { end: 'unavailable', isNews: facts.datesBefore === datesToConfirm - 1 };
    return facts.isSecondLook ? 'fail' : 'look again';
  }
  // A status is clear. A body is asked for twice, unless the last run date ended the same way.
  const isSure = rule === 'refused' || facts.isSecondLook || facts.wasUnavailable;
  return isSure ? { end: 'unavailable', isNews: false } : 'look again';
}
