// airank budget --history: who spent the requests of many days.
import { ConfigError } from '../../core/errors.ts';
import { readBudgetHistory } from '../../store/budget/budget-history.ts';
import { type AccountHistory, budgetHistoryLines } from '../print/print-budget-history.ts';
import { columnsOf } from '../print/wrap.ts';
import type { Terminal } from '../setup/context.ts';
import { numberFlag } from '../setup/number-flags.ts';
import { chooseWarehouse } from '../setup/use-warehouse.ts';

const defaultDays = 30;

export async function showBudgetHistory(
  terminal: Terminal,
  flags: { readonly days?: string; readonly demo?: true; readonly json?: true },
): Promise<void> {
  const faults: string[] = [];
  const days = numberFlag('--days', flags.days, { min: 1, max: 3_650 }, faults) ?? defaultDays;
  if (faults.length > 0) throw new ConfigError(faults);
  const options = { orDemo: true, needAccounts: true };
  const accounts = await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
    const found: AccountHistory[] = [];
    if (warehouse === undefined) return found;
    for (const { name, ...account } of config.accounts) {
      const history = await readBudgetHistory(warehouse.db, name, config, days);
      found.push({ account: name, per_day: account.perDay, ...history });
    }
    return found;
  });
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({ accounts }, null, 2)}\n`);
    return;
  }
  const width = columnsOf(terminal.stdout);
  const blocks = accounts.map((account) => budgetHistoryLines(account, width).join('\n'));
  terminal.stdout.write(
    `${blocks.length === 0 ? 'No request was made yet. Run: airank sync' : blocks.join('\n\n')}\n`,
  );
}
