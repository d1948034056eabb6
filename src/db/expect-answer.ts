import type pg from 'pg';

/** Rejects with the driver's own error when the server cannot be reached. */
export async function expectAnswer(pool: pg.Pool): Promise<void> {
  await pool.query('select 1');
}
