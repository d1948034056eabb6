// Which record of the measurements is the one that was started: by its id, else by the business in it, if it is new. Pure.
import { foldName } from '../../config/names.ts';
import { dayMs } from '../../core/run-date.ts';
import { measurementIds } from './measurement-id.ts';
import { valuesIn } from './record-values.ts';

export interface SoughtMeasurement {
  /** In the answer; undefined: it had none, or none came. */
  readonly id: string | undefined;
  readonly business: string;
  readonly startedAtMs: number;
  /** `recordMark` of those that were there before. */
  readonly before: ReadonlySet<string>;
}

/** The clocks of two machines. */
const clockMs = 300_000;

export function findMeasurement(records: readonly unknown[], sought: SoughtMeasurement): unknown {
  const { id, business, before, startedAtMs } = sought;
  const byId = id === undefined ? undefined : records.find((record) => measurementIds(record).includes(id));
  if (byId !== undefined) return byId;
  return records.find(
    (record) => isAbout(record, business) && !before.has(recordMark(record)) && !isOlder(record, startedAtMs),
  );
}

/** The same for the same measurement, also when its state changed. */
export function recordMark(record: unknown): string {
  return measurementIds(record)[0] ?? JSON.stringify(record);
}

/** Moments of a record, ms: those that it says in ISO form. */
export function momentsIn(record: unknown): readonly number[] {
  return valuesIn(record).flatMap(({ value }) => {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?:$|[T ]\d{2}:)/.test(value)) return [];
    const ms = Date.parse(value.replace(' ', 'T'));
    if (Number.isNaN(ms)) return [];
    // A date without a time, or without its zone, is some moment of up to a day after.
    return [/(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10)) ? ms : ms + dayMs];
  });
}

/** Whether all that it dates was before; what has no date is not. */
function isOlder(record: unknown, startedAtMs: number): boolean {
  const moments = momentsIn(record);
  return moments.length > 0 && Math.max(...moments) < startedAtMs - clockMs;
}

function isAbout(record: unknown, business: string): boolean {
  const wanted = foldName(business);
  return valuesIn(record).some(({ value }) => typeof value === 'string' && foldName(value) === wanted);
}
