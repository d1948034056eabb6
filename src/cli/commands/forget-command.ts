// airank forget: deletes everything of a client, and says what.

import { resolve } from 'node:path';
import { readClientNames } from '../../alerts/store/notes.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { packageVersion, writeWhole } from '../../core/files.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { accountsWith, type ForgottenClient, unblockClient } from '../../forget/block-client.ts';
import { type Forgotten, forgetClient } from '../../forget/forget-client.ts';
import { confirm } from '../ask.ts';
import { defineCommand } from '../define-command.ts';
import { checkOutputFile } from '../output.ts';
import { chooseClient } from '../selection.ts';
import { say, show } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

/** The certificate of a forgotten client: a file outside the database that names nobody unless asked to. */
interface CertificateOf {
  readonly account: string;
  /** Undefined: only the hash identifies the client. */
  readonly clientId: string | undefined;
  readonly isText: boolean;
  readonly version: string;
}

const notReached: readonly string[] = [
  'backups of the database, and its write-ahead log and replicas',
  'exports, reports and dashboards that were made before, and mails and messages that were sent',
  'logs of this program and of the database server',
  'the service that the API belongs to',
];

function certificate(forgotten: Forgotten, of: CertificateOf) {
  return {
    certificate: 'airank forget',
    program_version: of.version,
    account: of.account,
    client_hash: `hmac-sha256:${forgotten.clientHash}`,
    ...(of.clientId === undefined ? {} : { client_id: of.clientId }),
    started_at: forgotten.forgottenAt.toISOString(),
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

function forgottenLines(forgotten: Forgotten, { isText }: CertificateOf): readonly string[] {
  const texts = total(forgotten.texts);
  const where = Object.entries(sorted(forgotten.texts)).map(([table, rows]) => `${table} ${rows}`);
  const named =
    texts === 0
      ? 'No other row names it.'
      : `${plural(texts, 'row')} of the account still ${texts === 1 ? 'names' : 'name'} it: ${where.join(', ')}.` +
        (isText ? '' : ' --text removes it from the records');
  return [
    `${plural(total(forgotten.counts), 'row')} deleted or changed. No sync asks for or stores the client again (--unblock allows it).`,
    named,
    ...(forgotten.isIdSearched
      ? []
      : ['Its id is too short to tell it from other text, so only its names were searched for.']),
    `Not reached: ${notReached.join('; ')}.`,
  ];
}

/** @throws ConfigError when there is none, or several */
async function chooseForgotten(
  db: Executor,
  flags: { readonly client: string; readonly account?: string },
): Promise<ForgottenClient> {
  const accounts = await accountsWith(db, flags.client);
  const those = accounts.filter((account) => flags.account === undefined || account === flags.account);
  const [account, another] = those;
  if (account === undefined) {
    const chosen = chooseClient(flags, await readClientNames(db));
    if (chosen.clientId !== '') return chosen;
    throw new ConfigError([`Expected --client to be one of the account's clients, got the account itself`]);
  }
  if (another !== undefined) {
    throw new ConfigError([
      `Expected --account to be one of ${those.join(', ')}, which all have a client "${flags.client}", got nothing`,
    ]);
  }
  return { account, clientId: flags.client };
}

export const command = defineCommand({
  about: 'delete everything of a client for good, and block it',
  flags: {
    '--client <id>': { about: 'identifier or name of the client', required: true },
    '--account <name>': 'account, where there are several',
    '--text': 'also remove its id and names from records of the account',
    '--name <text>': { about: 'another name to look for; may be given again', repeats: true },
    '--output <file>': 'certificate as JSON (default: forgotten-<time>.json)',
    '--with-id': 'the certificate names the id, not only its keyed hash',
    '--yes': 'do not ask',
    '--unblock': 'delete nothing; let the next sync bring the client back',
    ...demoFlag,
  },
  help: `
Deletes records, rows, bookkeeping, alerts, notes and mailed reports of the
client from all schemas, its row in the list of clients, and records of the
account that say they are its own. If it is stopped, run it again. Backups,
exports, reports and dashboards made before stay as they are.

Examples:
  $ airank forget --client 7
  $ airank forget --client 7 --account north --text --name "Acme Ltd" --yes
  $ airank forget --client 7 --unblock`,
  async run({ terminal, flags }) {
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const file = resolve(terminal.cwd, flags.output ?? `forgotten-${time}.json`);
    if (flags.unblock !== true) await checkOutputFile(file, flags.output);
    return await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ pool, db }) => {
      const client = await chooseForgotten(db, flags);
      const { account, clientId } = client;
      if (flags.unblock === true) {
        if (!(await unblockClient(db, client))) {
          throw new ConfigError([`Client "${flags.client}" is not forgotten. Nothing was changed`]);
        }
        show(terminal, `Client ${clientId} of account ${account} comes back with the next sync`);
        return 0;
      }
      const text = `This deletes all data of client ${clientId} of account ${account}. This cannot be undone.`;
      if (!(await confirm(terminal, { text, answer: clientId, isYes: flags.yes === true }))) {
        say(terminal, 'Nothing was changed');
        return 1;
      }
      const isText = flags.text === true;
      const sleep = (ms: number) => systemClock.sleep(ms, terminal.signal);
      const forgotten = await forgetClient(pool, db, { ...client, names: flags.name, isText, sleep });
      const of = {
        account,
        clientId: flags.withId ? clientId : undefined,
        isText,
        version: packageVersion(),
      };
      await writeWhole(file, [`${JSON.stringify(certificate(forgotten, of), null, 2)}\n`]);
      show(terminal, [...forgottenLines(forgotten, of), `Certificate: ${file}`].join('\n'));
      return 0;
    });
  },
});
