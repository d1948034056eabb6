// After a sync: looks for alerts, tells them, and says in one line on stderr what came of it.
import { type AlertsDeps, type AlertsRun, runAlerts } from '../../alerts/run-alerts.ts';
import { systemClock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import type { OpenWarehouse, Settings, Terminal } from './context.ts';

export function alertsDeps(
  { config, logger, scrub }: Settings,
  { db, pool }: Pick<OpenWarehouse, 'db' | 'pool'>,
): AlertsDeps {
  return { config, db, pool, clock: systemClock, logger, scrub };
}

/** The sync is what it is, whatever becomes of its alerts. */
export async function alertAfterSync(
  terminal: Terminal,
  settings: Settings,
  warehouse: Pick<OpenWarehouse, 'db' | 'pool'>,
): Promise<void> {
  if (terminal.signal.aborted) return;
  try {
    const deps = { ...alertsDeps(settings, warehouse), signal: terminal.signal };
    const run = await runAlerts(deps, { check: true });
    for (const line of runLines(run)) terminal.stderr.write(`${line}\n`);
  } catch (error) {
    terminal.stderr.write(
      `Alerts could not be looked for: ${settings.scrub(messageOf(error))}. Try again: airank alerts check\n`,
    );
  }
}

/** Nothing where nothing happened. */
export function runLines(run: AlertsRun): string[] {
  return [
    ...(run.isBusy ? ['Another process looks for alerts just now.'] : []),
    ...(run.raised === 0 ? [] : [`${plural(run.raised, 'new alert')}: airank alerts lists them`]),
    ...run.broken.map(
      ({ account, rule, error }) =>
        `Alerts ${rule === undefined ? '' : `by ${rule} `}of account ${account} could not be looked for: ${error}`,
    ),
    ...run.failed.map(({ channel, error }) => `${channel} was not told, and is tried again: ${error}`),
  ];
}
