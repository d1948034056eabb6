// airank budget --reopen: a person says that the server was wrong to close a key.
import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { moment } from '../../core/moment.ts';
import { type Reopened, reopenAccount } from '../../store/budget/reopen.ts';
import type { Settings, Terminal } from '../setup/context.ts';
import { lookAtWarehouse } from '../setup/use-warehouse.ts';

/** @throws ConfigError when there is no such account */
export async function reopenKey(
  terminal: Terminal,
  settings: Settings,
  account: string,
  asJson: boolean,
): Promise<void> {
  const { config } = settings;
  const names = config.accounts.map(({ name }) => name);
  if (!names.includes(account)) {
    const fix = didYouMean(account, names);
    throw new ConfigError([
      `Expected --reopen to name one of the accounts ${names.join(', ')}, got "${account}"${fix === undefined ? '' : `. ${fix}`}`,
    ]);
  }
  const opened = await lookAtWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined ? undefined : await reopenAccount(warehouse.db, account, config),
  );
  const json = {
    account,
    opened: opened !== undefined,
    closed_until: opened?.closedUntil.toISOString() ?? null,
    forgotten_renewal: opened?.forgottenRenewal ?? null,
  };
  terminal.stdout.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : `${textOf(account, opened)}\n`);
}

function textOf(account: string, opened: Reopened | undefined): string {
  if (opened === undefined) return `The key of account ${account} is not closed: there is nothing to open.`;
  const forgotten =
    opened.forgottenRenewal === undefined
      ? ''
      : ` That its day renews at ${opened.forgottenRenewal} UTC, as the same refusal told, is no longer believed.`;
  return (
    `Opened the key of account ${account}, which was closed until ${moment(opened.closedUntil)}.${forgotten}\n` +
    'The slices that wait go on with: airank sync'
  );
}
