// Settings of a process that works for weeks: keys and accounts that change in their files are read again, without a
// restart. Files that are no longer valid change nothing, and are reported once.

import { once } from 'node:events';
import { resolve } from 'node:path';
import { type AccountConfig, Secret } from '../config/config.ts';
import { explainSettings } from '../config/explain-settings.ts';
import { loadConfig } from '../config/load-config.ts';
import { secretsOf } from '../config/secrets-of.ts';
import { sleepUntilStopped, systemClock } from '../core/clock.ts';
import { ConfigError, messageOf } from '../core/errors.ts';
import { createLogger, createScrubber } from '../core/logger.ts';
import { replaceSecrets } from '../core/replace-secrets.ts';
import { createPool } from '../db/pool.ts';
import type { Job } from '../jobs/define-job.ts';
import { kindWork } from '../jobs/kinds/kind-work.ts';
import { type HttpServerOptions, startHttpServer } from '../jobs/schedule/http-server.ts';
import { loadConfiguredJobs, loadJobs } from '../jobs/schedule/load-jobs.ts';
import type { WorkerOptions } from '../jobs/worker/worker.ts';
import { catalog } from '../streams/catalog.ts';
import { readSettings, type Settings } from './context.ts';
import type { Place } from './terminal.ts';

/** @throws ConfigError with every fault of every setting and job file */
export async function readSettingsAndJobs(
  place: Place,
  options: { readonly needAccounts: boolean },
): Promise<{ settings: Settings; jobs: readonly Job[] }> {
  let settings: Settings;
  try {
    settings = readSettings(place, options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...error.faults, ...(await faultsOfJobs(place))]);
  }
  return { settings, jobs: await loadConfiguredJobs(settings.config, settings.streams) };
}

/** Checks job files without settings, so names of streams and accounts are not checked. */
async function faultsOfJobs(place: Place): Promise<readonly string[]> {
  const folder = explainSettings(place).find((setting) => setting.name === 'jobsDir');
  if (folder?.shown === undefined || !folder.from?.startsWith(folder.variable)) return [];
  try {
    await loadJobs(resolve(place.cwd, folder.shown), { streams: undefined, accounts: undefined });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const ignored = {
  AIRANK_BASE_URL: '',
  AIRANK_API_KEY: '',
  AIRANK_API_KEY_FILE: '',
  DATABASE_URL: '',
  AIRANK_READER_URL: '',
  AIRANK_METABASE_URL: '',
  AIRANK_METABASE_KEY: '',
} as const;

/** The limits of a real key (api.md, "Limits"). */
export const realLimits = { perMinute: 60, perDay: 5_000 } as const;

/** Its address and key are those of the local API while that runs. */
const demoAccount: AccountConfig = {
  name: 'demo',
  baseUrl: new URL('http://127.0.0.1'),
  apiKey: new Secret(''),
  ...realLimits,
  reservePercent: 5,
};

/** Reads data folder, time zone, logging and speed as configured, with the demo's account and the plain catalog. */
export function readLocalSettings({ env, cwd, stderr }: Place): Settings {
  const config = loadConfig({ env, cwd, needAccounts: false, overrides: ignored });
  const write = (line: string) => stderr.write(line);
  return {
    config: {
      ...config,
      databaseUrl: undefined,
      accounts: [demoAccount],
      streams: {},
      questions: [],
      publicIds: [],
      mapping: {},
      // The demo sends no alerts.
      alerts: { ...config.alerts, to: [] },
    },
    streams: catalog.filter(({ source }) => source.kind === 'walk' || source.kind === 'details'),
    logger: createLogger({ level: config.logLevel, format: config.logFormat, secrets: [], write }),
    scrub: createScrubber([]),
    isDemo: true,
  };
}

/** Connections of a worker however many accounts it has; includes those for its lock and for news of the queue. */
const workerConnections = 16;

export function workerOptions(
  live: LiveSettings,
  warehouseUrl: string,
  env: NodeJS.ProcessEnv,
  given: Pick<WorkerOptions, 'emit' | 'kinds' | 'accountsAtOnce' | 'onState' | 'onJobEnd'>,
): WorkerOptions {
  const { config, logger } = live.first;
  const renewed = () => live.current().config.databaseUrl?.reveal();
  return {
    ...given,
    openPool: (applicationName) =>
      createPool({
        connectionString: warehouseUrl,
        renewed,
        max: Math.min(config.databaseConnections, workerConnections),
        applicationName,
      }),
    current: () => live.current(),
    work: ({ pool, db }) => kindWork({ ...live.current(), pool, db, env }),
    clock: systemClock,
    logger,
  };
}

const tryAgainMs = 15_000;

/**
 * Serves /healthz, /readyz and /metrics of a process that works for weeks. A taken port does not stop the
 * work: another process of this machine may have it until it dies. Resolves after the stop, when no
 * connection is left.
 */
export async function httpUntil(
  stop: AbortSignal,
  { config, logger }: Settings,
  answers: Pick<HttpServerOptions, 'health' | 'registry'>,
): Promise<void> {
  const { httpHost: host, httpPort: port } = config;
  let said = false;
  while (port !== 0 && !stop.aborted) {
    try {
      const server = await startHttpServer({ ...answers, host, port });
      logger.info({ event: 'http.listening', host, port: server.port });
      if (!stop.aborted) await once(stop, 'abort');
      return await server.close();
    } catch (error) {
      const fix = 'Trying again; set AIRANK_HTTP_PORT to another port, or to 0';
      if (!said) logger.warn({ event: 'http.not_listening', host, port, error: messageOf(error), fix });
      said = true;
    }
    await sleepUntilStopped(systemClock, tryAgainMs, stop);
  }
}

export interface LiveSettings {
  /** Settings at the start; their logger also removes secrets that came later. */
  readonly first: Settings;
  /** Current settings; the same object as long as nothing changed. */
  current(): Settings;
}

/** Settings older than this are read again. */
const freshMs = 5_000;

export function liveSettings(place: Place, read: Settings): LiveSettings {
  // Earlier secrets stay in the set: a request may still be under way with one.
  const secrets = new Set<string>();
  let hide = (line: string) => line;
  const logger = unattendedLogger(place, read, (line) => place.stderr.write(hide(line)));
  const first = { ...read, logger };
  let settings = first;
  let readMs = Date.now();
  let known = textOf(first);
  let said = '';

  const readAgain = (): Settings => {
    const next = readSettings(place, { needAccounts: true });
    said = '';
    const text = textOf(next);
    if (text === known) return settings;
    known = text;
    for (const secret of secretsOf(next.config)) secrets.add(secret);
    hide = replaceSecrets([...secrets]);
    logger.info({ event: 'settings.changed', accounts: next.config.accounts.length });
    return { ...next, logger };
  };

  return {
    first,
    current() {
      if (Date.now() - readMs < freshMs) return settings;
      readMs = Date.now();
      try {
        settings = readAgain();
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        const line = {
          event: 'settings.invalid',
          error: messageOf(error),
          fix: 'The last valid settings stay in use',
        };
        if (said !== error.message) logger.error(line);
        said = error.message;
      }
      return settings;
    },
  };
}

/** Text to compare settings by. JSON hides secrets, so they are added. */
function textOf({ config }: Settings): string {
  return JSON.stringify([config, secretsOf(config)]);
}

/** Logs events unless the settings say otherwise, since nobody watches. */
function unattendedLogger(place: Place, { config }: Settings, write: (line: string) => void) {
  const setting = explainSettings(place).find(({ name }) => name === 'logLevel');
  const level = setting?.from === 'default' ? 'info' : config.logLevel;
  return createLogger({ level, format: config.logFormat, secrets: secretsOf(config), write });
}
