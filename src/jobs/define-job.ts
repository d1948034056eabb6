// The definition of a job: its work and its schedule. Job files hold data only. For job files outside the
// package, this file is what `airank-warehouse` means in an import.
import type { StreamName } from '../streams/stream-names.ts';

export type { StreamName } from '../streams/stream-names.ts';

/** A stream that the configuration adds; editors still offer the names that are known. */
type AddedStream = string & Record<never, never>;

export type Job = SyncJob | OtherJob;

export type OtherJob = ReportJob | DashboardJob | PushLogsJob | BackupJob;

interface AnyJob {
  /** Unique; the argument of `airank jobs run`. */
  readonly name: string;
  readonly description: string;
  /**
   * A cron expression of five fields; undefined: the job runs by hand only, or once. A time that a change of the
   * clocks skips comes later by the jump; one that it repeats comes once.
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
  /** Orders jobs that are due, and their requests if they share an account. Default: normal. */
  readonly priority?: 'high' | 'normal' | 'low';
}

/** Syncs; `airank sync --job` takes it too. */
export interface SyncJob extends AnyJob {
  readonly kind?: 'sync';
  /** Streams by name, or those with one of the tags; default: all. */
  readonly streams?: 'all' | readonly (StreamName | AddedStream)[] | { readonly tags: readonly string[] };
  /** `auto`: incrementally where the budget does not suffice; `full`: every page. Default: auto. */
  readonly walk?: 'auto' | 'full';
  /**
   * Walks again what the run date already has, for jobs that run several times a day. Default: what is
   * published for the run date is not requested again.
   */
  readonly again?: boolean;
  /** A new job is due at once, as if it had missed a moment. Default: it waits for its next one. */
  readonly beginAtOnce?: boolean;
  /** Oldest that the data of its streams may be; beyond it `status` and the notifications say so. */
  readonly deadlineHours?: number;
}

/** Makes the reports of clients (docs/dashboard-and-reports.md), of the last period that was over when it was due. */
export interface ReportJob extends AnyJob {
  readonly kind: 'report';
  readonly period: 'month' | 'week';
  /** Default: AIRANK_LANGUAGE. */
  readonly language?: 'en' | 'es';
  /** As PDF; needs a Chromium. Default: HTML. */
  readonly pdf?: boolean;
  /** Also by mail, where AIRANK_SMTP_URL is set. Default: files alone. */
  readonly mail?: boolean;
}

/** Writes the dashboard into a folder that a web server shows (docs/dashboard-and-reports.md). */
export interface DashboardJob extends AnyJob {
  readonly kind: 'dashboard';
  /** Folder on the machine whose worker takes the job. */
  readonly folder: string;
  /** A file for each client, with nothing of others or of the account. Default: `dashboard.html`, with all of them. */
  readonly perClient?: boolean;
  /** Default: AIRANK_LANGUAGE. */
  readonly language?: 'en' | 'es';
}

/** Sends what is new in access logs (docs/writes.md). */
export interface PushLogsJob extends Omit<AnyJob, 'clients'> {
  readonly kind: 'push-logs';
  /** Paths; names may have `*` and `?`, folders may not. They lie on the machine whose worker takes the job. */
  readonly files: readonly string[];
  /** The account that the logs belong to; needed if there are several. */
  readonly accounts?: 'all' | readonly [string];
  readonly anonymizeIp?: boolean;
  /** As `--strip-prefix` of airank push logs. */
  readonly stripPrefix?: string;
  /** Uploads whose outcome is unknown: they may have arrived. Default: report. */
  readonly unknown?: 'report' | 'resend' | 'skip';
}

/** Writes the whole warehouse to a file (docs/backup-and-forgetting.md). */
export interface BackupJob extends Omit<AnyJob, 'clients' | 'accounts'> {
  readonly kind: 'backup';
  /** Folder on the machine whose worker takes the job; the file is called `airank-2026-11-23.gz`, by the day. */
  readonly folder: string;
  /** Keeps this many of the newest files. Default: all. */
  readonly keep?: number;
  /** A backup is of all accounts. */
  readonly accounts?: undefined;
}

export function defineJob(job: Job): Job {
  return job;
}
