// What a job is: what to sync and when. Job files under jobs/ hold data only.

export interface Job {
  /** Unique; what `airank sync --job` takes. */
  readonly name: string;
  readonly description: string;
  /** Cron expression of five fields, in the configured time zone. Undefined: only by hand. */
  readonly schedule?: string;
  /** Streams by name; default: all. */
  readonly streams?: readonly string[];
  /** Clients by id; default: all, and the account itself. */
  readonly clients?: readonly string[];
  /** Accounts by name; default: all. */
  readonly accounts?: readonly string[];
  /** `full`: every page of archives, whatever the budget says. Default `auto`. */
  readonly walk?: 'full' | 'auto';
}

/** Types a job file. */
export function defineJob(job: Job): Job {
  return job;
}
