// The clients that reports can be made of, the one that somebody means, and who gets its report.

import type pg from 'pg';
import type { ReportConfig } from '../../config/config.ts';
import { namedClient } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { readReportClients } from '../reader/statements.ts';

/** A text of the data for a sentence or a cell: short, on one line, without marks that turn around what follows. */
export function plain(text: string | null, most = 120): string {
  const one = (text ?? '')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...one];
  return characters.length <= most ? one : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * A client's own addresses, else those of the agency.
 * @throws ConfigError where there are none, or where an id names clients of several accounts
 */
export function recipientsOf(
  { key, id }: ReportClient,
  all: readonly ReportClient[],
  { to, clients }: Pick<ReportConfig, 'to' | 'clients'>,
): readonly string[] {
  const byKey = clients[key];
  if (byKey !== undefined) return byKey;
  // An id that reads like an account and an id is not what is meant where there is such an account.
  const byId = all.some(({ account }) => id.startsWith(`${account}/`)) ? undefined : clients[id];
  const same = all.filter((client) => client.id === id).map((client) => client.key);
  if (byId !== undefined && same.length > 1) {
    const fix = `Give account and id: ${same.join(', ')}`;
    throw new ConfigError([
      `Expected report.clients to name one client by ${JSON.stringify(id)}, got ${same.length} of them. ${fix}`,
    ]);
  }
  const addresses = byId ?? to;
  if (addresses.length > 0) return addresses;
  throw new ConfigError([
    `Expected report.to, or report.clients for ${key}, to hold a mail address, got none. Set it in airank.config.yaml`,
  ]);
}

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
