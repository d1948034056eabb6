// Compares the calls for measurements that a service received with those in the book: none that is in none, none more often.
import type pg from 'pg';

export interface BookedCall {
  readonly id: number;
  readonly business: string;
  readonly status: string;
  /** Somebody decided to leave it as it is. */
  readonly isLeft: boolean;
}

interface JudgedMeasurements {
  readonly wrong: readonly string[];
  readonly accepted: number;
  readonly received: number;
  readonly unknown: readonly BookedCall[];
  readonly unknownArrived: number;
}

/** The oldest first. */
export async function readCalls(pool: pg.Pool): Promise<readonly BookedCall[]> {
  const { rows } = await pool.query<BookedCall>(
    `select id::int, subject as business, status, skipped_at is not null as "isLeft"
     from sync.write where kind = 'measurement' order by id`,
  );
  return rows;
}

/** When no call is on its way. */
export function judgeMeasurements(
  calls: readonly BookedCall[],
  came: ReadonlyMap<string, number>,
): JudgedMeasurements {
  const wrong: string[] = [];
  let unknownArrived = 0;
  for (const business of new Set([...calls.map((one) => one.business), ...came.keys()])) {
    const times = came.get(business) ?? 0;
    const own = calls.filter((one) => one.business === business);
    const accepted = withStatus(own, 'accepted').length;
    const unknown = withStatus(own, 'unknown').length;
    if (times < accepted) wrong.push(`${business} came ${times} times, and ${accepted} are accepted`);
    if (times > accepted + unknown) {
      wrong.push(
        `${business} came ${times} times, and the book has ${accepted} accepted, ${unknown} unknown`,
      );
    }
    unknownArrived += Math.max(times - accepted, 0);
  }
  const undecided = calls.filter(({ status }) => status !== 'accepted' && status !== 'unknown');
  for (const { id, status } of undecided) wrong.push(`call ${id} is still ${status}`);
  return {
    ...{ wrong, unknownArrived, unknown: withStatus(calls, 'unknown') },
    accepted: withStatus(calls, 'accepted').length,
    received: [...came.values()].reduce((sum, times) => sum + times, 0),
  };
}

function withStatus(calls: readonly BookedCall[], wanted: string): readonly BookedCall[] {
  return calls.filter(({ status }) => status === wanted);
}
