// Whether the ledger of requests agrees with what the server saw.
import type pg from 'pg';
import type { Asked } from './keyed-server.ts';

interface Tokens {
  readonly account: string;
  /** Granted and not given back. */
  readonly spent: number;
  readonly seen: number;
}

export async function readTokens(pool: pg.Pool, asked: readonly Asked[]): Promise<Tokens[]> {
  const { rows } = await pool.query<{ account: string; spent: number }>(
    'select account, sum(used)::int as spent from sync.budget group by account order by account',
  );
  return rows.map(({ account, spent }) => ({
    account,
    spent,
    seen: asked.filter((request) => request.account === account).length,
  }));
}

/**
 * A process that is killed between a grant and its request has spent a token that no server sees.
 * @param mostLost of one account
 * @param forgets a server that crashed may have forgotten tokens
 */
export function wrongTokens(tokens: readonly Tokens[], mostLost: number, forgets = false): string[] {
  return tokens
    .filter(({ spent, seen }) => (seen > spent && !forgets) || spent - seen > mostLost)
    .map(({ account, spent, seen }) => `${account}: ${spent} tokens spent, ${seen} requests seen`);
}
