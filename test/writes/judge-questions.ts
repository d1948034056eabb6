// Compares the questions that a service received with what the book says: none twice, none lost silently.
import type pg from 'pg';
import { questionHash } from '../../src/writes/read-questions.ts';

export interface JudgedQuestions {
  readonly wrong: readonly string[];
  readonly given: number;
  readonly accepted: number;
  readonly received: number;
  /** Requests of unknown outcome. */
  readonly unknown: readonly number[];
  readonly unknownArrived: number;
  /** Questions in those that arrived. */
  readonly unknownQuestions: readonly string[];
}

interface Booked {
  readonly hash: string;
  readonly hasText: boolean;
  readonly id: number | null;
  readonly status: string | null;
}

/** When no push is left to be made. */
export async function judgeQuestions(
  pool: pg.Pool,
  given: readonly string[],
  came: ReadonlyMap<string, number>,
): Promise<JudgedQuestions> {
  const { rows } = await pool.query<Booked>(
    `select encode(q.hash, 'hex') as hash, q.text is not null as "hasText", w.id::int, w.status
     from sync.question q left join sync.write w on w.account = q.account and w.id = q.write_id`,
  );
  const book = new Map(rows.map((row) => [row.hash, row]));
  const wrong: string[] = [];
  const unknown = new Map<number, { arrived: string[]; missing: number }>();
  let accepted = 0;
  for (const text of given) {
    const times = came.get(text) ?? 0;
    if (times > 1) wrong.push(`"${text}" came ${times} times`);
    const row = book.get(questionHash(text).toString('hex'));
    if (row?.status === 'accepted') {
      accepted += 1;
      if (times !== 1) wrong.push(`"${text}" is accepted, and came ${times} times`);
      if (row.hasText) wrong.push(`"${text}" is accepted, and its text is still there`);
    } else if (row?.status === 'unknown' && row.id !== null) {
      const request = unknown.get(row.id) ?? { arrived: [], missing: 0 };
      if (times > 0) request.arrived.push(text);
      else request.missing += 1;
      unknown.set(row.id, request);
      if (!row.hasText) wrong.push(`"${text}" is unknown, and its text is gone`);
    } else wrong.push(`"${text}" is ${row === undefined ? 'in no book' : (row.status ?? 'in no request')}`);
  }
  for (const [id, { arrived, missing }] of unknown) {
    if (arrived.length > 0 && missing > 0) wrong.push(`request ${id} arrived in parts`);
  }
  const foreign = [...came.keys()].filter((text) => !given.includes(text));
  if (foreign.length > 0) wrong.push(`${foreign.length} questions came that nobody gave`);
  const arrived = [...unknown.values()].filter((request) => request.arrived.length > 0);
  const received = [...came.values()].reduce((sum, times) => sum + times, 0);
  const unknownQuestions = arrived.flatMap((request) => request.arrived);
  if (received !== accepted + unknownQuestions.length) {
    wrong.push(`${received} came, ${accepted} accepted + ${unknownQuestions.length} unknown`);
  }
  const ids = [...unknown.keys()];
  return {
    ...{ wrong, given: given.length, accepted, received },
    ...{ unknown: ids, unknownArrived: arrived.length, unknownQuestions },
  };
}
