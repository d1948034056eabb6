// The error of a request that the server refuses for longer than a run waits.

import { BudgetExhaustedError, type ErrorPlace, SkippableError } from '../core/errors.ts';
import { moment } from '../core/moment.ts';
import { plural } from '../core/plural.ts';
import { type PageRequest, toldRoute } from './request.ts';
import type { RefusalStep } from './retry.ts';

export interface LongRefusal {
  readonly kind: Exclude<RefusalStep['kind'], 'minute'>;
  readonly until: Date;
  /** Of this request. */
  readonly refusals: number;
}

/** A refused key ends the account's day. Where no key was sent, only its own slice fails: the key is as good as before. */
export function refusedForLong(
  request: PageRequest,
  { kind, until, refusals }: LongRefusal,
  place: ErrorPlace,
): BudgetExhaustedError | SkippableError {
  const asked = `GET ${toldRoute(request)}`;
  const told =
    kind === 'day'
      ? `${asked} answered 429 (rate_limited):`
      : `${asked} was refused ${plural(refusals, 'time')} (429, rate_limited) in spite of waiting:`;
  const then = moment(until);
  if (!request.withKey) {
    const again = kind === 'day' ? ` until ${then}. Run again then` : '. Run again in an hour';
    return new SkippableError(
      `${told} the public route, which takes no key, refuses this machine${again}; the account's key stays open.`,
      place,
    );
  }
  const byHand = `airank budget --reopen ${place.account}`;
  const text =
    kind === 'day'
      ? `${told} the server closes the key until ${then}. Run again then; ${byHand} opens it sooner.`
      : `${told} the key rests until ${then}. Lower AIRANK_PER_MINUTE, or find out who else uses the key; ${byHand} opens it sooner.`;
  return new BudgetExhaustedError(text, until, place);
}
