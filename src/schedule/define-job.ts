// What a job is: what to sync and when. Job files hold data only. This file is also what `airank-warehouse`
// means in an import, for job files outside the package.
import type { StreamName } from '../streams/stream-names.ts';

export type { StreamName } from '../streams/stream-names.ts';

/** A stream that the configuration adds; editors still offer the names that are known. */
type AddedStream = string & Record<never, never>;

export interface Job {
  /** Unique; what `airank jobs run` and `airank sync --job` take. */
  readonly name: string;
  readonly description: string;
  /**
   * When: a cron expression of five fields. Undefined: only by hand, or once.
   * A time that a change of the clocks skips comes as much later, one that it repeats comes once.
   */
  readonly schedule?: string;
  /** IANA zone of the schedule; default: AIRANK_TIMEZONE. */
  readonly timeZone?: string;
  /** Instead of a schedule: the scheduler runs it until it has succeeded, and never again. */
  readonly once?: true;
  /** Accounts by name; default: all. */
  readonly accounts?: 'all' | readonly string[];
  /**
   * Clients by id, or those whose id fits a pattern with `*` and `?`. Default: all, and the account itself,
   * which a list and a pattern leave out.
   */
  readonly clients?: 'all' | readonly string[] | { readonly matching: string };
  /** Streams by name, or those with one of the tags; default: all. */
  readonly streams?: 'all' | readonly (StreamName | AddedStream)[] | { readonly tags: readonly string[] };
  /** `auto`: from the head where the budget does not suffice; `full`: every page. Default: auto. */
  readonly walk?: 'auto' | 'full';
  /**
   * Walks again what the run date already has, for jobs that run several times a day. Default: what is
   * published for the run date is not requested again.
   */
  readonly again?: boolean;
  /** Whose requests go first where several jobs share an account. Default: normal. */
  readonly priority?: 'high' | 'normal' | 'low';
  /** Its streams must not be older than this; past it `status` and the notifications say so. */
  readonly deadlineHours?: number;
}

/** Types a job file. */
export function defineJob(job: Job): Job {
  return job;
}
