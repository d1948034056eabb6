// Settings of commands that bring their own API and their own database: they ignore what the environment and .env say
// of the service and of DATABASE_URL, faults included.
import { type AccountConfig, Secret } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { createLogger, createScrubber } from '../../core/logger.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Settings, Terminal } from './context.ts';

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
