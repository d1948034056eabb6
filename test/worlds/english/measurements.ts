// The archive of measurements: each firm once a week, and now and then by hand.
import { range } from '../kit.ts';
import { type Firm, firms } from './firms.ts';
import { isLikely, uuid } from './kit.ts';

export interface Measurement {
  readonly id: string;
  readonly firm: Firm;
  /** Days since the first run date. */
  readonly offset: number;
  readonly isManual: boolean;
  /** Of today: has no result yet. */
  readonly isRunning: boolean;
  readonly isComparable: boolean;
  readonly reasons: readonly string[];
}

const oldest = -167;

/** Of all firms, newest first. */
export const measurementsUpTo = (day: number): Measurement[] =>
  range(oldest, day)
    .reverse()
    .flatMap((offset) => firms.flatMap((firm, seat) => measurementsOn(firm, seat, offset, day)));

/** With a result, newest first. */
export const finishedUpTo = (day: number, firm?: Firm): Measurement[] =>
  measurementsUpTo(day).filter((one) => !one.isRunning && (firm === undefined || one.firm === firm));

function measurementsOn(firm: Firm, seat: number, offset: number, day: number): Measurement[] {
  const found: Measurement[] = [];
  if ((offset + seat + 700) % 7 === 0) {
    const isThin = isLikely(0.12, 'thin', firm.slug, offset);
    found.push({
      id: uuid('measurement', firm.slug, offset),
      firm,
      offset,
      isManual: false,
      isRunning: offset === day,
      isComparable: !isThin,
      reasons: isThin ? ['Fewer than 60 answers', 'Gemini did not respond'] : [],
    });
  }
  if (offset < 0 && isLikely(0.01, 'manual', firm.slug, offset)) {
    found.push({
      id: uuid('manual', firm.slug, offset),
      firm,
      offset,
      isManual: true,
      isRunning: false,
      isComparable: false,
      reasons: ['Started by hand'],
    });
  }
  return found;
}
