// The age of the data behind an answer: of now, or of one run date.
import type pg from 'pg';
import { readStatement } from '../../reporting/reader/statements.ts';
import type { AsOf } from '../form/answer.ts';
import { type Whose, whoseParameters } from './clients.ts';
import { readTexts } from './page.ts';

export async function readAsOf(client: pg.ClientBase, whose: Whose, date?: string): Promise<AsOf> {
  const given = whoseParameters(whose);
  const { text, values } =
    date === undefined
      ? readStatement('mcp/as-of', given)
      : readStatement('mcp/as-of-date', { ...given, run_from: date });
  const { rows } = await readTexts(client, text, values);
  const [runDate = null, stale, missing] = rows[0] ?? [];
  const streams = { stale: listOf(stale), missing: listOf(missing) };
  const isComplete = runDate !== null && streams.stale.length + streams.missing.length === 0;
  return { run_date: runDate, complete: isComplete, ...streams };
}

function listOf(json: string | null | undefined): readonly string[] {
  const list: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}
