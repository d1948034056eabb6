// What there is to choose from: scopes and dates.
import type pg from 'pg';
import { readChart } from '../../reader/statements.ts';
import type { Period } from '../charts/chart.ts';
import type { PageScope } from '../page/page-data.ts';

const everything = { account: '', clientId: '', from: '0001-01-01', to: '9999-12-31' };

export async function readShownScopes(pool: pg.Pool): Promise<readonly PageScope[]> {
  const { rows } = await readChart(pool, 'scopes', everything);
  return rows.map(([clientKey, account, clientId, name, leftOn]) => ({
    clientKey: clientKey ?? '',
    account: account ?? '',
    clientId: clientId ?? '',
    name: name ?? '',
    leftOn: leftOn ?? null,
  }));
}

/** Of everything, or of one account or client. Undefined: nothing is published. */
export async function readDates(
  pool: pg.Pool,
  scope: Pick<PageScope, 'account' | 'clientId'> = everything,
): Promise<Period | undefined> {
  const { account, clientId } = scope;
  const { rows } = await readChart(pool, 'dates', { ...everything, account, clientId });
  const [from, firstRunDate, to] = rows[0] ?? [];
  if (to == null) return undefined;
  const first = [from, firstRunDate, to].filter((day) => day != null).sort()[0];
  return { from: first ?? to, to };
}
