// Settings of commands that bring their own API and their own database: they ignore what the environment and .env say
// of the service and of DATABASE_URL, faults included.
import { resolve } from 'node:path';
import { type AccountConfig, Secret } from '../../config/config.ts';
import { explainSettings } from '../../config/explain-settings.ts';
import { loadConfig } from '../../config/load-config.ts';
import { ConfigError } from '../../core/errors.ts';
import { createLogger, createScrubber } from '../../core/logger.ts';
import type { Job } from '../../jobs/define-job.ts';
import { loadConfiguredJobs, loadJobs } from '../../jobs/schedule/load-jobs.ts';
import { catalog } from '../../streams/catalog.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';

/** @throws ConfigError with every fault of every setting and job file */
export async function readSettingsAndJobs(
  terminal: Terminal,
  options: { readonly needAccounts: boolean },
): Promise<{ settings: Settings; jobs: readonly Job[] }> {
  let settings: Settings;
  try {
    settings = readSettings(terminal, options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...error.faults, ...(await faultsOfJobs(terminal))]);
  }
  return { settings, jobs: await loadConfiguredJobs(settings.config, settings.streams) };
}

/** As far as the files can be checked without settings: names of streams and accounts are not checked. */
async function faultsOfJobs(terminal: Terminal): Promise<readonly string[]> {
  const folder = explainSettings(terminal).find((setting) => setting.name === 'jobsDir');
  if (folder?.shown === undefined || !folder.from?.startsWith(folder.variable)) return [];
  try {
    await loadJobs(resolve(terminal.cwd, folder.shown), { streams: undefined, accounts: undefined });
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
  AIRANK_AUTH_HEADER: '',
  DATABASE_URL: '',
  AIRANK_READER_URL: '',
  AIRANK_METABASE_URL: '',
  AIRANK_METABASE_KEY: '',
  AIRANK_METABASE_KEY_FILE: '',
  AIRANK_METABASE_DATABASE_URL: '',
} as const;

/** Far beyond what this machine can do: the demo shows the warehouse, not the wait for a limit. */
export const noLimit = 1_000_000;

/** Its address and key are those of the local API, while that runs. */
const demoAccount: AccountConfig = {
  name: 'demo',
  baseUrl: new URL('http://127.0.0.1'),
  apiKey: new Secret(''),
  authHeader: 'bearer',
  perMinute: noLimit,
  perDay: noLimit,
  reservePercent: 0,
};

/** Data folder, time zone, logging and speed as configured; the account of a demo alone, the catalog as it is. */
export function readLocalSettings(terminal: Terminal): Settings {
  const { env, cwd } = terminal;
  const config = loadConfig({ env, cwd, needAccounts: false, overrides: ignored });
  const write = (line: string) => terminal.stderr.write(line);
  return {
    config: {
      ...config,
      databaseUrl: undefined,
      accounts: [demoAccount],
      streams: {},
      questions: [],
      publicIds: [],
      mapping: {},
      // What happens in the demo is told to nobody.
      alerts: { ...config.alerts, to: [] },
    },
    streams: catalog.filter(({ source }) => source.kind === 'walk' || source.kind === 'details'),
    logger: createLogger({ level: config.logLevel, format: config.logFormat, secrets: [], write }),
    scrub: createScrubber([]),
    isDemo: true,
  };
}
