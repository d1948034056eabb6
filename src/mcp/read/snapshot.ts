// Gives an answer one state of the warehouse, and words failures of Postgres for the caller.
import type pg from 'pg';
import { messageOf } from '../../core/errors.ts';
import { codeOf, isBusy, isConnectionLost, isForbidden, isMissingObject } from '../../db/sqlstate.ts';
import { ToolError } from '../form/answer.ts';

const mostMs = 20_000;

/** Runs `work` in a session for reading, whose changes are rolled back. */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    // A moment belongs to the day that the views give it.
    await client.query(
      "begin isolation level repeatable read read only; set local timezone = 'UTC'; " +
        `set local statement_timeout = ${mostMs}`,
    );
    return await work(client);
  } finally {
    await client.query('rollback').catch(() => (broken = true));
    client.release(broken);
  }
}

export function toolErrorOf(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const message = messageOf(error);
  const options = { cause: error };
  if (isBusy(error)) {
    return new ToolError('busy', 'Postgres has no connection free.', 'Ask again in a minute.', options);
  }
  if (isConnectionLost(error) || (error instanceof Error && isConnectionLost(error.cause))) {
    return new ToolError(
      'unreachable',
      `The warehouse cannot be reached: ${message}`,
      'Ask again when Postgres is running; airank doctor says more.',
      options,
    );
  }
  // query_canceled
  if (codeOf(error) === '57014') {
    return new ToolError(
      'too_slow',
      `This takes longer than ${mostMs / 1000} seconds.`,
      'Ask for one client, or for fewer dates: client, from, to.',
      options,
    );
  }
  if (isForbidden(error)) {
    return new ToolError(
      'not_available',
      `The role of this server is not allowed to read this: ${message}.`,
      'airank grant-bi ROLE --api lets the role of AIRANK_READER_URL read it.',
      options,
    );
  }
  if (isMissingObject(error)) {
    return new ToolError(
      'not_available',
      `The warehouse does not have what this version reads: ${message}.`,
      'Run: airank migrate',
      options,
    );
  }
  return new ToolError(
    'not_available',
    message,
    'Run airank status and airank doctor for the cause.',
    options,
  );
}
