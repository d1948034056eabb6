// The clients that reports can be made of, and the one that somebody means.
import type pg from 'pg';
import { namedClient } from '../../config/names.ts';
import { readReportClients } from '../reader/read-report.ts';
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

export async function readClientsToReport(pool: pg.Pool): Promise<readonly ReportClient[]> {
  return (await readReportClients(pool)).map((row) => ({
    key: row['client_key'] ?? '',
    account: row['account'] ?? '',
    id: row['client_id'] ?? '',
    name: plain(row['client_name'] || (row['client_id'] ?? '')),
    leftOn: row['left_on'] ?? null,
  }));
}

/** @throws ConfigError where none fits, or several do */
export function findClient(clients: readonly ReportClient[], given: string): ReportClient {
  const named = clients.map((client) => ({ client, ...client, clientId: client.id }));
  return namedClient(named, given, 'the id or the name of a client').client;
}
