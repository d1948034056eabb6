// airank doctor: settings, database and API, each with the fix. Never prints the key.
import { statSync } from 'node:fs';
import { proxyFor, proxyHost } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import {
  type ExplainedSetting,
  explainFiles,
  explainSecretFiles,
  explainSettings,
  type SecretFile,
} from '../../config/explain-settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { addDays, runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import { readProtection } from '../../db/pool.ts';
import { readServerFacts } from '../../db/server-facts.ts';
import { readSchemaState } from '../../install/expect-schema.ts';
import type { SyncJob } from '../../jobs/define-job.ts';
import { isSyncJob, resolveJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { readMappingLines } from '../../mapping/mapping-lines.ts';
import { readFutureDates } from '../../status/missing-dates.ts';
import { type Readiness, readReadiness } from '../../status/view-readiness.ts';
import { type OpenWarehouse, readSettings, type Settings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { mostDaysAhead } from '../flags.ts';
import { readinessLine } from '../print/readiness.ts';
import { table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import { ofListedClients } from '../selection.ts';
import type { Terminal } from '../terminal.ts';
import { hasCluster } from '../use-warehouse.ts';
import {
  type Check,
  checkApi,
  checkBroken,
  checkDates,
  checkMapping,
  checkRoom,
  checkSchema,
  checkServer,
  checkTls,
  foundLines,
} from './doctor-checks.ts';

export const command = defineCommand({
  about: 'check settings, database, key and clock; say what to fix',
  flags: {
    '--all': 'also what is fine, with every setting and where it is set',
    '--offline': 'make no request to the API',
    '--json': 'print the checks as JSON on stdout',
  },
  help: `
Makes one request per account, from the reserve for people.

Exit codes:
  0  nothing is wrong; warnings (!) may be shown
  1  something is wrong (✗)

Examples:
  $ airank doctor
  $ airank doctor --offline --json | jq '.checks[] | select(.level == "fault")'`,
  async run({ terminal, flags, print, width }) {
    const { checks, explained, settings } = checkSettings(terminal);
    const keyPlace = explained.find(({ variable }) => variable === 'AIRANK_API_KEY')?.from;
    const outside =
      settings === undefined
        ? { checks: [], views: null }
        : await checkOutside(terminal, settings, { isOffline: flags.offline === true, keyPlace });
    const all = [...checks, ...outside.checks];
    const isFine = all.every(({ level }) => level !== 'fault');
    const colors = colorsFor(terminal.stdout, terminal.env);
    const rest = settings === undefined ? '\n\nDatabase and API are checked once the settings are fine.' : '';
    const text = checkLines(all, { all: flags.all === true, colors, width }).join('\n') + rest;
    print(
      { fine: isFine, settings: explained, checks: all, views: outside.views },
      settings?.scrub(text) ?? text,
    );
    return isFine ? 0 : 1;
  },
});

const titles = { settings: 'Settings', database: 'Database', api: 'API' } as const;

/** Gives the verdict, then what to fix, then what is fine: by area, or one by one with --all. */
function checkLines(
  checks: readonly Check[],
  { all, colors, width }: { readonly all: boolean; readonly colors: Colors; readonly width: number },
): string[] {
  const of = (level: Check['level']) => checks.filter((check) => check.level === level);
  const [faults, warnings, fine] = [of('fault'), of('warning'), of('fine')];
  const rows = Object.entries(titles).flatMap(([area, title]) => {
    const those = fine.filter((check) => check.area === area);
    const texts = those.flatMap(({ label = '', text }) =>
      all || label === '' ? [`${label} ${text}`.trim()] : [],
    );
    const hidden = those.length - texts.length;
    const count = hidden === 0 ? [] : [`${plural(hidden, 'setting')} checked (--all)`];
    if (all) return texts.map((text, index) => [colors.dim(index === 0 ? title : ''), text]);
    return those.length === 0 ? [] : [[colors.dim(title), [...texts, ...count].join('; ')]];
  });
  const others = `${plural(fine.length, 'other check')} ${fine.length === 1 ? 'is' : 'are'} fine (--all lists them)`;
  return [
    faults.length === 0 ? colors.green('✓ Ready') : colors.red(`✗ ${plural(faults.length, 'thing')} to fix`),
    ...[...faults, ...warnings].flatMap((check) => ['', ...foundLines([check], colors)]),
    '',
    ...(faults.length === 0 || all
      ? table(rows, { width, indent: '  ', head: false, wraps: ['1'] })
      : [`${colors.green('✓')} ${others}`]),
  ];
}

/** The check of the settings: the source of each, and every fault of all of them. */
interface CheckedSettings {
  readonly checks: readonly Check[];
  readonly explained: readonly ExplainedSetting[];
  /** Undefined: nothing else can be checked. Has no accounts if only those are at fault. */
  readonly settings: Settings | undefined;
}

function checkSettings(terminal: Terminal): CheckedSettings {
  const explained = explainSettings(terminal);
  const known = new Set(explained.flatMap((setting) => setting.faults));
  const { settings, faults } = tryRead(terminal, true);
  return {
    checks: [
      { area: 'settings', level: 'fine', text: explainFiles(terminal) },
      ...explained.flatMap(checkSetting),
      ...(settings === undefined ? [] : checkKeys(settings.config)),
      ...explainSecretFiles(terminal).flatMap(checkReaders),
      ...faults.flatMap((text) => (known.has(text) ? [] : faultOf(text))),
    ],
    explained,
    settings: settings ?? tryRead(terminal, false).settings,
  };
}

const faultOf = (text: string): Check => ({ area: 'settings', level: 'fault', text });

function tryRead(terminal: Terminal, needAccounts: boolean) {
  try {
    return { settings: readSettings(terminal, { needAccounts }), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { settings: undefined, faults: error.faults };
  }
}

function checkSetting({ variable, from, shown, faults }: ExplainedSetting): Check[] {
  if (faults.length > 0) return faults.map(faultOf);
  if (from === undefined || shown === undefined) return [];
  const source = from === variable ? 'environment' : from.replace(`${variable} in `, '');
  return [{ area: 'settings', level: 'fine', label: variable, text: `${shown} (${source})` }];
}

function checkKeys({ accounts, http }: Config): Check[] {
  return accounts.map(({ name, apiKey, baseUrl }) => {
    const proxy = proxyFor(baseUrl, http.proxy);
    const through = proxy === undefined ? '' : `, through the proxy ${proxyHost(proxy)} (HTTPS_PROXY)`;
    const key = `a key of ${plural(apiKey.reveal().length, 'character')}`;
    const text = `account ${name}: ${key}, sent to ${baseUrl.host}${through}`;
    return { area: 'settings', level: 'fine', text };
  });
}

function checkReaders({ path, holds }: SecretFile): Check[] {
  const mode = modeOf(path);
  if ((mode & 0o044) === 0) return [];
  const who = (mode & 0o004) === 0 ? 'its group' : 'everybody on this machine';
  const text = `${path} holds a secret (${holds}), and ${who} may read it (mode ${mode.toString(8)})`;
  return [{ area: 'settings', level: 'warning', text, fix: `chmod 600 ${path}` }];
}

/**
 * Reads the mode of a file; 0 where it cannot be told, as on Windows, or of a file that cannot be reached,
 * which is a fault of its own.
 */
function modeOf(path: string): number {
  try {
    return process.platform === 'win32' ? 0 : statSync(path).mode & 0o777;
  } catch {
    return 0;
  }
}

/** @param db undefined: there is no warehouse to ask for clients */
export async function checkJobs(
  { config, streams }: Pick<Settings, 'config' | 'streams'>,
  db?: Executor,
): Promise<readonly Check[]> {
  const faultsOf = async (work: Promise<unknown>) => {
    try {
      await work;
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults;
    }
  };
  const loading = loadConfiguredJobs(config, streams);
  const faults = await faultsOf(loading);
  if (faults.length > 0) return faults.map(faultOf);
  const jobs = await loading;
  const where = config.jobsDir === undefined ? '(built-in)' : `in ${config.jobsDir}`;
  const text = `${plural(jobs.length, 'job')} ${where}: ${jobs.map(({ name }) => name).join(', ')}`;
  const onNoList = (job: SyncJob) =>
    db === undefined
      ? []
      : faultsOf(ofListedClients(db, resolveJob(job, config, streams), { job: job.name }));
  const warned = await Promise.all(jobs.filter(isSyncJob).map(onNoList));
  const fix = 'airank init --jobs copies the built-in jobs there';
  return [
    { area: 'settings', level: 'fine', text },
    ...(jobs.some(isSyncJob)
      ? []
      : [{ area: 'settings', level: 'warning', text: `No job ${where} runs a sync`, fix } as const]),
    ...warned.flat().map((warning): Check => ({ area: 'settings', level: 'warning', text: warning })),
  ];
}

interface Outside {
  readonly checks: readonly Check[];
  /** Null: the warehouse cannot tell. */
  readonly views: Readiness | null;
}

async function checkOutside(
  terminal: Terminal,
  settings: Settings,
  { isOffline, keyPlace }: { readonly isOffline: boolean; readonly keyPlace: string | undefined },
): Promise<Outside> {
  const { config } = settings;
  const { databaseUrl, dataDir, timeZone } = config;
  const checks: Check[] = [];
  let jobs: readonly Check[] | undefined;
  let views: Readiness | null = null;
  let asked = false;
  const askApi = async (ledger: OpenWarehouse['ledger'] | undefined) => {
    if (asked || isOffline) return;
    asked = true;
    for (const account of config.accounts) {
      checks.push(...(await checkApi({ config, account, ledger, signal: terminal.signal, keyPlace })));
    }
  };
  if (databaseUrl === undefined && !hasCluster(dataDir)) {
    const text = `no embedded Postgres in ${dataDir} yet; the first sync makes it`;
    checks.push({ area: 'database', level: 'fine', text });
    await askApi(undefined);
    return { checks: [...(await checkJobs(settings)), ...checks], views };
  }
  const options = { schema: 'leave', isThere: true, waits: false } as const;
  try {
    await withWarehouse(terminal, settings, options, async ({ pool, db, ledger, url, embedded }) => {
      const protection = embedded ? undefined : await readProtection(pool);
      const isReadable = await atOnce(db, async (one) => {
        checks.push(...checkServer(await readServerFacts(one, timeZone), timeZone));
        if (protection !== undefined) checks.push(checkTls(url, protection));
        const schema = await readSchemaState(one);
        checks.push(checkSchema(schema));
        if (schema.readable) {
          const latest = addDays(runDateIn(timeZone, new Date()), mostDaysAhead);
          checks.push(...checkDates(await readFutureDates(one, latest)));
        }
        const { needed, views: dropped, lost } = schema.gone;
        const isWhole = needed.length + dropped.length === 0 && lost === undefined;
        if (schema.pending.length === 0 && schema.unknown === undefined && isWhole) {
          const [readiness, ofJobs, mapping] = await Promise.all([
            readReadiness(one),
            checkJobs(settings, one),
            readMappingLines(one),
          ]);
          views = readiness;
          jobs = ofJobs;
          // Before the first sync nothing is wrong with the views.
          if (mapping.some(({ hasData }) => hasData))
            checks.push(
              { area: 'database', level: 'fine', text: readinessLine(views) },
              ...checkMapping(mapping),
            );
        }
        return schema.readable;
      });
      if (embedded) checks.push(...(await checkRoom(dataDir)));
      await askApi(isReadable ? ledger : undefined);
    });
  } catch (error) {
    if (terminal.signal.aborted || asked) throw error;
    checks.push(checkBroken(error));
    await askApi(undefined);
  }
  return { checks: [...(jobs ?? (await checkJobs(settings))), ...checks], views };
}
