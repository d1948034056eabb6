// One request of each account, counted where there is a warehouse whose ledger can count it.
import type { Ledger } from '../../core/budget.ts';
import { WarehouseError } from '../../core/errors.ts';
import type { Settings, Terminal } from '../setup/context.ts';
import { lookAtWarehouse } from '../setup/use-warehouse.ts';
import type { Check } from './check.ts';
import { checkApi, countClients } from './check-api.ts';

export async function checkAccounts(terminal: Terminal, settings: Settings): Promise<readonly Check[]> {
  const { config } = settings;
  return await withLedger(terminal, settings, async (ledger) => {
    const checks: Check[] = [];
    for (const account of config.accounts) {
      checks.push(...(await checkApi(config, account, ledger, terminal.signal)));
    }
    return checks;
  });
}

/** Of the first account. */
export async function clientsOf(terminal: Terminal, settings: Settings) {
  const { config } = settings;
  const [account] = config.accounts;
  if (account === undefined) return undefined;
  const { signal } = terminal;
  return await withLedger(terminal, settings, (ledger) => countClients({ config, account, ledger, signal }));
}

async function withLedger<Result>(
  terminal: Terminal,
  settings: Settings,
  ask: (ledger: Ledger | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    return await lookAtWarehouse(terminal, settings, (found) => ask(found?.ledger));
  } catch (error) {
    // A database that is away is the doctor's to tell; the key can be tried all the same.
    if (!(error instanceof WarehouseError)) throw error;
    return await ask(undefined);
  }
}
