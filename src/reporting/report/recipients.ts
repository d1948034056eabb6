// Who gets a client's report by mail: its own addresses, else those of the agency.
import type { ReportConfig } from '../../config/config.ts';
import { ConfigError } from '../../core/errors.ts';
import type { ReportClient } from './clients.ts';

/** @throws ConfigError where nobody does, or where an id names clients of several accounts */
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
