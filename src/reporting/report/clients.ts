// Clients that can have reports, the one that a user means, and the recipients of its report.

import type pg from 'pg';
import type { ReportConfig } from '../../config/config.ts';
import { namedClient } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { readReportClients } from '../reader/statements.ts';

/**
 * Prepares a text of the data for a sentence or cell: short, on one line, without direction marks that affect what
 * follows.
 */
export function plain(text: string | null, most = 120): string {
  const one = (text ?? '')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...one];
  return characters.length <= most ? one : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * Returns a client's own addresses, else the agency's.
 * @throws ConfigError if there are none, or if an id names clients of several accounts
 */
export function recipientsOf(
  { key, id }: ReportClient,
  all: readonly ReportClient[],
  { to, clients }: Pick<ReportConfig, 'to' | 'clients'>,
): readonly string[] {
  const byKey = clients[key];
  if (byKey !== undefined) return byKey;
  // An id that looks like account/id is not taken as an id if there is such an account.
  const byId = all.some(({ account }) => id.startsWith(`${account}/`)) ? undefined : clients[id];
  const same = all.filter((client) => client.id === id).map((client) => client.key);
  if (byId !== undefined && same.length > 1) {
    const fix = `Use account and id: ${same.join(', ')}`;
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
  /** Run date; null if unknown, or still there. */
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

/** @throws ConfigError if none matches, or several do */
export function findClient(clients: readonly ReportClient[], given: string): ReportClient {
  const named = clients.map((client) => ({ client, ...client, clientId: client.id }));
  return namedClient(named, given, 'the id or the name of a client').client;
}
