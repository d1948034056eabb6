// One request of each account, counted where there is a warehouse whose ledger can count it.
import { WarehouseError } from '../../core/errors.ts';
import type { Settings, Terminal } from '../setup/context.ts';
import { lookAtWarehouse } from '../setup/use-warehouse.ts';
import type { Check } from './check.ts';
import { checkApi } from './check-api.ts';

export async function checkAccounts(terminal: Terminal, settings: Settings): Promise<readonly Check[]> {
  const { config } = settings;
  const ask = async (ledger: Parameters<typeof checkApi>[2]) => {
    const checks: Check[] = [];
    for (const account of config.accounts) {
      checks.push(...(await checkApi(config, account, ledger, terminal.signal)));
    }
    return checks;
  };
  try {
    return await lookAtWarehouse(terminal, settings, (found) => ask(found?.ledger));
  } catch (error) {
    // A database that is away is the doctor's to tell; the key can be tried all the same.
    if (!(error instanceof WarehouseError)) throw error;
    return await ask(undefined);
  }
}
