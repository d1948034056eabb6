// airank budget: who spent the key's requests today, and how many remain.

import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { moment } from '../../core/text.ts';
import { type Reopened, readBudget, readBudgetUse, reopenAccount } from '../../store/budget/budget-report.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { readWriteUses } from '../../writes/store/list-writes.ts';
import { readSettings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { colorsFor } from '../print/text.ts';
import { chooseWarehouse, demoFlag, readWarehouse } from '../use-warehouse.ts';
import { type AccountBudget, budgetLines } from './budget-text.ts';

/** @throws ConfigError when there is no such account */
async function reopenKey({ terminal, print }: Call, account: string): Promise<void> {
  const settings = readSettings(terminal, { needAccounts: true });
  const { config } = settings;
  const names = config.accounts.map(({ name }) => name);
  if (!names.includes(account)) {
    const fix = didYouMean(account, names);
    throw new ConfigError([
      `Expected --reopen to name one of the accounts ${names.join(', ')}, got "${account}"${fix === undefined ? '' : `. ${fix}`}`,
    ]);
  }
  const opened = await readWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined ? undefined : await reopenAccount(warehouse.db, account, config),
  );
  const json = {
    account,
    opened: opened !== undefined,
    closed_until: opened?.closedUntil.toISOString() ?? null,
    forgotten_renewal: opened?.forgottenRenewal ?? null,
  };
  print(json, textOf(account, opened));
}

function textOf(account: string, opened: Reopened | undefined): string {
  if (opened === undefined) return `The key of account ${account} is not closed: there is nothing to open.`;
  const forgotten =
    opened.forgottenRenewal === undefined
      ? ''
      : ` That the day renews at ${opened.forgottenRenewal} UTC came from the same refusal and no longer counts.`;
  return (
    `Opened the key of account ${account}, which was closed until ${moment(opened.closedUntil)}.${forgotten}\n` +
    'The slices that wait go on with: airank sync'
  );
}

const pastDays = 14;
const nothingText = 'No request was made yet. Run: airank sync';

export const command = defineCommand({
  about: "today's requests by hour and stream, and when it renews",
  flags: {
    '--reopen <account>': 'open a key that the server closed, because it was wrong',
    ...demoFlag,
    '--json': 'print the budget as JSON on stdout',
  },
  help: `
Needs no request. Requests of others show only while a sync runs,
counted by the server; the real number may be higher. Where anything was ever
sent, the limits of uploads, questions and measurements stand below.

Examples:
  $ airank budget
  $ airank budget --reopen default
  $ airank budget --json | jq '.accounts[] | {account, used_today}'`,
  async run(call) {
    const { terminal, flags, print, width } = call;
    if (flags.reopen !== undefined) {
      if (flags.demo) throw new ConfigError(['Expected --reopen without --demo: its key is never closed']);
      return await reopenKey(call, flags.reopen);
    }
    const options = { orDemo: true, needAccounts: true };
    const accounts = await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
      const found: AccountBudget[] = [];
      if (warehouse === undefined) return found;
      for (const account of config.accounts) {
        const state = await readBudget(warehouse.db, account, config);
        const use = await readBudgetUse(warehouse.db, account.name, config, pastDays);
        found.push({
          account: account.name,
          per_minute: account.perMinute,
          per_day: account.perDay,
          reserved_for_people: reserveOf(account),
          used_today: state.usedToday,
          remaining_today: state.remainingToday,
          other_users_today: use.hours.reduce((sum, hour) => sum + hour.other_users, 0),
          renews_at: state.renewsAt.toISOString(),
          renewal:
            state.renewalLearnedAt !== undefined ? 'learned' : config.learnDayRenewal ? 'assumed' : 'set',
          renewal_learned_at: state.renewalLearnedAt?.toISOString() ?? null,
          closed_until: state.closedUntil?.toISOString() ?? null,
          refused_at: use.refusedAt?.toISOString() ?? null,
          hours: use.hours.map((hour) => ({ ...hour, hour: hour.hour.toISOString() })),
          streams: use.streams,
          days: use.days,
          writes: await readWriteUses(warehouse.db, [account.name], config),
        });
      }
      return found;
    });
    const shape = { width: Math.min(width, 80), colors: colorsFor(terminal.stdout, terminal.env) };
    const blocks = accounts.map((account) => budgetLines(account, shape).join('\n'));
    print({ accounts }, blocks.join('\n\n') || nothingText);
  },
});
