// airank schedule: runs the jobs when they are due, until it is told to stop.
import { once } from 'node:events';
import type { Command } from 'commander';
import { runAlerts } from '../../alerts/run-alerts.ts';
import { explainSettings } from '../../config/explain-settings.ts';
import { secretsOf } from '../../config/secrets-of.ts';
import { systemClock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { createLogger } from '../../core/logger.ts';
import { startHttpServer } from '../../schedule/http-server.ts';
import { createMetrics, type Metrics } from '../../schedule/metrics.ts';
import { createUnattended, type Unattended } from '../../schedule/unattended.ts';
import { alertsDeps } from '../setup/alerts-after-sync.ts';
import { alertsPort } from '../setup/alerts-port.ts';
import { type Settings, type Terminal, withWarehouse } from '../setup/context.ts';
import { reportKind } from '../setup/report-kind.ts';
import { readSettingsAndJobs } from '../setup/settings-and-jobs.ts';

export function addScheduleCommand(program: Command, terminal: Terminal): void {
  program
    .command('schedule')
    .description('run the jobs when they are due, until it is stopped')
    .addHelpText(
      'after',
      `
Catches up what is overdue at the start and every two minutes. Several may
run: one works, the others stand by. SIGTERM (Ctrl-C) stores the pages in
flight and ends within 10 seconds; a second one ends at once.

Answers /healthz, /readyz and /metrics on AIRANK_HTTP_HOST and AIRANK_HTTP_PORT.

Examples:
  $ airank schedule
  $ AIRANK_LOG_FORMAT=json airank schedule 2>> airank.log`,
    )
    .action(async () => {
      const { settings: read, jobs } = await readSettingsAndJobs(terminal, { needAccounts: true });
      const settings = withScheduleLogger(terminal, read);
      const { config, logger, streams, scrub } = settings;
      await withWarehouse(terminal, settings, { patient: true }, async ({ pool, db, ledger, url }) => {
        const metrics = createMetrics();
        const deps = { config, pool, db, ledger, clock: systemClock, logger };
        const { signal } = terminal;
        const ofAlerts = { ...alertsDeps(settings, { db, pool }), signal };
        const follow = alertsPort((options) => runAlerts(ofAlerts, options), signal);
        const kinds = reportKind({ settings, warehouseUrl: url, db, env: terminal.env });
        const unattended = createUnattended({ deps, jobs, streams, scrub, metrics, follow, kinds });
        const ended = new AbortController();
        // Closed before the work ends: a flood of requests must not take the time that the stop has.
        const listening = listenUntil(
          AbortSignal.any([terminal.signal, ended.signal]),
          settings,
          unattended,
          metrics,
        );
        try {
          await unattended.work(terminal.signal);
        } finally {
          ended.abort();
          await listening;
        }
      });
    });
}

/** Nobody watches, so events are logged unless the settings say otherwise. */
function withScheduleLogger(terminal: Terminal, settings: Settings): Settings {
  const level = explainSettings(terminal).find((setting) => setting.name === 'logLevel');
  if (level?.from !== 'default') return settings;
  const { logFormat: format } = settings.config;
  const write = (line: string) => terminal.stderr.write(line);
  const logger = createLogger({ level: 'info', format, secrets: secretsOf(settings.config), write });
  return { ...settings, logger };
}

const tryAgainMs = 15_000;

/**
 * A taken port does not stop the jobs: another scheduler of this machine may have it until it dies. Resolves after the stop, when no connection is left.
 */
async function listenUntil(
  stop: AbortSignal,
  { config, logger }: Settings,
  unattended: Unattended,
  metrics: Metrics,
): Promise<void> {
  const { httpHost: host, httpPort: port } = config;
  const options = { host, port, health: () => unattended.health(), registry: metrics.registry };
  let said = false;
  while (port !== 0 && !stop.aborted) {
    try {
      const server = await startHttpServer(options);
      logger.info({ event: 'http.listening', host, port: server.port });
      if (!stop.aborted) await once(stop, 'abort');
      return await server.close();
    } catch (error) {
      const fix = 'It is tried again; set AIRANK_HTTP_PORT to another port, or to 0';
      if (!said) logger.warn({ event: 'http.not_listening', host, port, error: messageOf(error), fix });
      said = true;
    }
    await systemClock.sleep(tryAgainMs, stop).catch(() => undefined);
  }
}
