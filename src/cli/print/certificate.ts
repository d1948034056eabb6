// The certificate of a client that was forgotten: a file that is not in the database, and names nobody unless asked to.
import { plural } from '../../core/plural.ts';
import type { Forgotten } from '../../retention/forget/forget-client.ts';

export interface CertificateOf {
  readonly account: string;
  /** Undefined: the hash alone says who it was. */
  readonly clientId: string | undefined;
  readonly isText: boolean;
  readonly version: string;
}

export const notReached: readonly string[] = [
  'backups of the database, and its write-ahead log and replicas',
  'exports, reports and dashboards that were made before, and mails and messages that were sent',
  'logs of this program and of the database server',
  'the service that the API belongs to',
];

export function certificate(forgotten: Forgotten, of: CertificateOf) {
  return {
    certificate: 'airank forget',
    program_version: of.version,
    account: of.account,
    client_hash: `hmac-sha256:${forgotten.clientHash}`,
    ...(of.clientId === undefined ? {} : { client_id: of.clientId }),
    begun_at: forgotten.forgottenAt.toISOString(),
    finished_at: forgotten.finishedAt.toISOString(),
    is_blocked: true,
    deleted: { rows: total(forgotten.counts), by_table: sorted(forgotten.counts) },
    text: {
      is_removed: of.isText,
      is_id_searched: forgotten.isIdSearched,
      names_searched: forgotten.searchedNames,
      rows_left: total(forgotten.texts),
      by_table: sorted(forgotten.texts),
    },
    not_reached: notReached,
  };
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, rows) => sum + rows, 0);
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));

export function forgottenLines(forgotten: Forgotten, { isText }: CertificateOf): readonly string[] {
  const texts = total(forgotten.texts);
  const where = Object.entries(sorted(forgotten.texts)).map(([table, rows]) => `${table} ${rows}`);
  const named =
    texts === 0
      ? 'No other row names it.'
      : `${plural(texts, 'row')} of the account still ${texts === 1 ? 'names' : 'name'} it: ${where.join(', ')}.` +
        (isText ? '' : ' --text takes it out of the records');
  return [
    `${plural(total(forgotten.counts), 'row')} deleted or changed. No sync walks or stores the client again (--unblock allows it).`,
    named,
    ...(forgotten.isIdSearched
      ? []
      : ['Its id is too short to be told from other texts, so only names were looked for.']),
    `Not reached: ${notReached.join('; ')}.`,
  ];
}
