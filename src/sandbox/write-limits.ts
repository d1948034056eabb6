// What the write routes allow (api.md, "Write routes"), and how large a body may be.
import type { WriteRoute } from './write-request.ts';

/** The reference says MB and not which: 10^6 bytes is the reading that fits both. */
export type Megabyte = 1_000_000 | 1_048_576;

export interface WriteLimitOptions {
  /** Bytes of the MB that bounds an upload. Default 1,000,000. */
  readonly megabyte?: Megabyte | undefined;
  /** Uploads of logs an hour. Default 20. */
  readonly uploadsPerHour?: number | undefined;
  /** How long that hour takes, in milliseconds; less for experiments. Default 3,600,000. */
  readonly uploadWindowMs?: number | undefined;
  /** Questions a day (UTC). Default 200. */
  readonly questionsPerDay?: number | undefined;
  /** New measurements a day (UTC). Default 3. */
  readonly measurementsPerDay?: number | undefined;
}

export type WriteLimits = {
  readonly [Name in keyof WriteLimitOptions]-?: NonNullable<WriteLimitOptions[Name]>;
};

export const writeLimits: WriteLimits = {
  megabyte: 1_000_000,
  uploadsPerHour: 20,
  uploadWindowMs: 3_600_000,
  questionsPerDay: 200,
  measurementsPerDay: 3,
};

/** The largest body that is read: 5 MB of text, 1 MB of JSON. */
export function maxBodyBytes(route: WriteRoute, contentType: string, { megabyte }: WriteLimits): number {
  return route === 'crawl-logs' && !isJson(contentType) ? 5 * megabyte : megabyte;
}

export function isJson(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType);
}
