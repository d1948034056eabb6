// The clients that reports can be made of, and the one that somebody means.
import type pg from 'pg';
import { nearestName } from '../config/nearest-name.ts';
import { ConfigError } from '../core/errors.ts';
import { readReportClients } from '../warehouse/reader/read-report.ts';
import { plain } from './plain.ts';

export interface ReportClient {
  /** `agency/c7` */
  readonly key: string;
  readonly account: string;
  readonly id: string;
  readonly name: string;
  /** Run dates; null: unknown, or still there. */
  readonly leftOn: string | null;
}

export async function readClients(pool: pg.Pool): Promise<readonly ReportClient[]> {
  return (await readReportClients(pool)).map((row) => ({
    key: row['client_key'] ?? '',
    account: row['account'] ?? '',
    id: row['client_id'] ?? '',
    name: plain(row['client_name'] || (row['client_id'] ?? '')),
    leftOn: row['left_on'] ?? null,
  }));
}

/**
 * By account and id, by id, or by name; the first of these that fits.
 * @throws ConfigError where none fits, or several do
 */
export function findClient(clients: readonly ReportClient[], given: string): ReportClient {
  const ways: ((client: ReportClient) => string)[] = [({ key }) => key, ({ id }) => id, ({ name }) => name];
  for (const way of ways) {
    const found = clients.filter((client) => way(client) === given);
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    if (found.length > 1) {
      const keys = found.map(({ key }) => key).join(', ');
      throw new ConfigError([
        `Expected one client, got "${given}", which ${found.length} are. Give one of ${keys}`,
      ]);
    }
  }
  const known = clients.flatMap(({ id, name, key }) => [id, name, key]);
  const part = given.trim().toLowerCase();
  const holding = part.length < 3 ? undefined : known.find((name) => name.toLowerCase().includes(part));
  const near = holding ?? nearestName(given, known);
  const fix =
    near === undefined
      ? `Known: ${clients.length === 0 ? 'none' : some(clients.map(({ id }) => id))}`
      : `Did you mean ${near}?`;
  throw new ConfigError([`Expected the id or the name of a client, got "${plain(given, 60)}". ${fix}`]);
}

function some(ids: readonly string[]): string {
  const shown = ids.slice(0, 10).join(', ');
  return ids.length > 10 ? `${shown} and ${ids.length - 10} more` : shown;
}
