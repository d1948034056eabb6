import type pg from 'pg';

/** Rejects with the driver's own error where `bi` is not there, or may not be read. */
export async function expectBi(pool: pg.Pool): Promise<void> {
  await pool.query('select from bi.clients limit 0');
}
