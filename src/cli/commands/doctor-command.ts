// airank doctor: settings, database and API, each with the fix. Never prints the key.

import { statSync } from 'node:fs';
import { proxyFor, proxyHost } from '../../config/addresses.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import {
  type ExplainedSetting,
  explainFiles,
  explainSecretFiles,
  explainSettings,
  type SecretFile,
} from '../../config/explain-settings.ts';
import { commonSettings } from '../../config/settings.ts';
import { ConfigError } from '../../core/errors.ts';
import { addDays, runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import { readProtection } from '../../db/pool.ts';
import { readServerFacts } from '../../db/server-facts.ts';
import { readSchemaState } from '../../install/expect-schema.ts';
import type { Job, SyncJob } from '../../jobs/define-job.ts';
import { isSyncJob, resolveJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { planJobs } from '../../jobs/schedule/plan-jobs.ts';
import { readMappingLines } from '../../mapping/mapping-lines.ts';
import { readJobHistories } from '../../status/job-runs.ts';
import { readFutureDates } from '../../status/missing-dates.ts';
import { type ReadinessSummary, readReadiness, summarize } from '../../status/view-readiness.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { type OpenWarehouse, readSettings, type Settings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { mostDaysAhead } from '../flags.ts';
import { colorsFor } from '../print/text.ts';
import { ofListedClients } from '../selection.ts';
import type { Terminal } from '../terminal.ts';
import { hasCluster } from '../use-warehouse.ts';
import { checkApi } from './doctor-api.ts';
import { type Check, checkLines } from './doctor-check.ts';
import {
  checkBroken,
  checkDates,
  checkMapping,
  checkRoom,
  checkSchema,
  checkServer,
  checkTls,
  checkViews,
} from './doctor-database.ts';
import { largeJobText } from './plan-text.ts';

/** The check of the settings: the source of each, and every fault of all of them. */
interface CheckedSettings {
  readonly checks: readonly Check[];
  /** Rarely used settings that have their defaults: JSON lists them, the text only counts them. */
  readonly untouched: readonly Check[];
  readonly explained: readonly ExplainedSetting[];
  /** Undefined: nothing else can be checked. Without accounts when only those are at fault. */
  readonly settings: Settings | undefined;
}

function checkSettings(terminal: Terminal): CheckedSettings {
  const explained = explainSettings(terminal);
  const known = new Set(explained.flatMap((setting) => setting.faults));
  const { settings, faults } = tryRead(terminal, true);
  const usable = settings ?? tryRead(terminal, false).settings;
  const checked = explained.map((one) => ({
    checks: checkSetting(one),
    isUntouched: one.from === 'default' && !commonSettings.includes(one.name),
  }));
  const others = faults.filter((fault) => !known.has(fault));
  return {
    checks: [
      { area: 'settings', level: 'fine', text: explainFiles(terminal) },
      ...checked.flatMap(({ checks }) => checks),
      ...(settings === undefined ? [] : checkKeys(settings.config)),
      ...explainSecretFiles(terminal).flatMap(checkReaders),
      ...others.map((text): Check => ({ area: 'settings', level: 'fault', text })),
    ],
    untouched: checked.flatMap(({ checks, isUntouched }) => (isUntouched ? checks : [])),
    explained,
    settings: usable,
  };
}

function tryRead(terminal: Terminal, needAccounts: boolean) {
  try {
    return { settings: readSettings(terminal, { needAccounts }), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { settings: undefined, faults: error.faults };
  }
}

function checkSetting({ variable, from, shown, faults }: ExplainedSetting): Check[] {
  if (faults.length > 0) return faults.map((text) => ({ area: 'settings', level: 'fault', text }));
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

/** @param db undefined: there is no warehouse that could tell of clients and requests */
export async function checkJobs(
  settings: Pick<Settings, 'config' | 'streams'>,
  db?: Executor,
): Promise<readonly Check[]> {
  const { config, streams } = settings;
  try {
    const jobs = await loadConfiguredJobs(config, streams);
    const where = config.jobsDir === undefined ? 'that come along' : `in ${config.jobsDir}`;
    const text = `${plural(jobs.length, 'job')} ${where}: ${jobs.map(({ name }) => name).join(', ')}`;
    const known = db === undefined ? [] : await checkKnown(db, settings, jobs);
    return [{ area: 'settings', level: 'fine', text }, ...known];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((text): Check => ({ area: 'settings', level: 'fault', text }));
  }
}

/** Finds jobs that take too much of the day, and clients of theirs that are on no list. */
async function checkKnown(
  db: Executor,
  { config, streams }: Pick<Settings, 'config' | 'streams'>,
  jobs: readonly Job[],
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const warn = (text: string, fix?: string) =>
    checks.push({ area: 'settings', level: 'warning', text, ...(fix !== undefined && { fix }) });
  const faultsOf = (job: SyncJob) =>
    ofListedClients(db, resolveJob(job, config, streams), { job: job.name }).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof ConfigError)) throw error;
        return error.faults;
      },
    );
  const [faults, histories] = await Promise.all([
    Promise.all(jobs.filter(isSyncJob).map(faultsOf)),
    readJobHistories(
      db,
      jobs.map(({ name }) => name),
    ),
  ]);
  for (const fault of faults.flat()) warn(fault);
  const now = new Date();
  const plansOf = async (account: AccountConfig) => ({
    account,
    plans: await planJobs({ db, config, streams, account, jobs, histories, now }),
  });
  for (const { account, plans } of await Promise.all(config.accounts.map(plansOf))) {
    for (const plan of plans) {
      const large = largeJobText(plan, account.perDay - reserveOf(account));
      if (large !== undefined) warn(`account ${account.name}: ${large.text}`, large.fix);
    }
  }
  return checks;
}

export const command = defineCommand({
  about: 'check settings, database, key and clock; say what to fix',
  flags: { '--offline': 'make no request to the API', '--json': 'print the checks as JSON on stdout' },
  help: `
Makes one request for each account, out of the reserve for people.

Exit codes:
  0  nothing is wrong; warnings (!) may be shown
  1  something is wrong (✗)

Examples:
  $ airank doctor
  $ airank doctor --offline --json | jq '.checks[] | select(.level == "fault")'`,
  async run({ terminal, flags, print, width }) {
    const { checks, untouched, explained, settings } = checkSettings(terminal);
    const outside =
      settings === undefined ? unseenOutside : await checkOutside(terminal, settings, flags.offline === true);
    const all = [...checks, ...outside.checks];
    const faults = all.filter((check) => check.level === 'fault').length;
    const report = { fine: faults === 0, settings: explained, checks: all, views: outside.views };
    const colors = colorsFor(terminal.stdout, terminal.env);
    const shown = [
      ...all.filter((check) => !untouched.includes(check)),
      { area: 'settings', level: 'fine', text: `${untouched.length} more have their defaults` } as const,
    ];
    const last = faults === 0 ? colors.green('✓ Ready.') : colors.red(`✗ ${plural(faults, 'thing')} to fix.`);
    const unseen =
      settings === undefined ? ['Database and API are checked once the settings are fine.', ''] : [];
    const text = [...checkLines(shown, colors, width), ...unseen, last].join('\n');
    print(report, settings?.scrub(text) ?? text);
    return faults === 0 ? 0 : 1;
  },
});

interface Outside {
  readonly checks: readonly Check[];
  /** Null: the warehouse cannot tell. */
  readonly views: ReadinessSummary | null;
}

const unseenOutside: Outside = { checks: [], views: null };

async function checkOutside(terminal: Terminal, settings: Settings, isOffline: boolean): Promise<Outside> {
  const checks: Check[] = [];
  let jobs: readonly Check[] | undefined;
  let views: ReadinessSummary | null = null;
  let asked = false;
  const askApi = async (ledger: OpenWarehouse['ledger'] | undefined) => {
    if (asked || isOffline) return;
    asked = true;
    for (const account of settings.config.accounts) {
      checks.push(...(await checkApi(settings.config, account, ledger, terminal.signal)));
    }
  };
  const { databaseUrl, dataDir } = settings.config;
  if (databaseUrl === undefined && !hasCluster(dataDir)) {
    const text = `no embedded Postgres in ${dataDir} yet; the first sync makes it: airank sync`;
    checks.push({ area: 'database', level: 'fine', text });
    await askApi(undefined);
    return { checks: [...(await checkJobs(settings)), ...checks], views };
  }
  try {
    await withWarehouse(
      terminal,
      settings,
      { schema: 'leave', isThere: true, waits: false },
      async ({ pool, db, ledger, url, embedded }) => {
        const { timeZone } = settings.config;
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
          const isWhole =
            schema.gone.needed.length + schema.gone.views.length === 0 && schema.gone.lost === undefined;
          if (schema.pending.length === 0 && schema.unknown === undefined && isWhole) {
            const [readiness, ofJobs, mapping] = await Promise.all([
              readReadiness(one),
              checkJobs(settings, one),
              readMappingLines(one),
            ]);
            views = summarize(readiness);
            jobs = ofJobs;
            // Before the first sync nothing is wrong with the views.
            if (mapping.some(({ hasData }) => hasData))
              checks.push(checkViews(views), ...checkMapping(mapping));
          }
          return schema.readable;
        });
        if (embedded) checks.push(...(await checkRoom(settings.config.dataDir)));
        await askApi(isReadable ? ledger : undefined);
      },
    );
  } catch (error) {
    if (terminal.signal.aborted || asked) throw error;
    checks.push(checkBroken(error));
    await askApi(undefined);
  }
  return { checks: [...(jobs ?? (await checkJobs(settings))), ...checks], views };
}
