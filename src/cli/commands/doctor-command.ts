// airank doctor: settings, database and API, each with the fix. Never prints the key.
import { addDays, runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import { findPooling, readServerFacts } from '../../db/server-facts.ts';
import { readSchemaState } from '../../install/expect-schema.ts';
import { readMappingLines } from '../../mapping/mapping-lines.ts';
import { readFutureDates } from '../../status/missing-dates.ts';
import { type ReadinessSummary, readReadiness, summarize } from '../../status/view-readiness.ts';
import { findRenamed } from '../../store/aliases.ts';
import { type OpenWarehouse, type Settings, type Terminal, withWarehouse } from '../context.ts';
import { defineCommand, mostDaysAhead } from '../define-command.ts';
import { colorsFor } from '../print/words.ts';
import { hasCluster } from '../use-warehouse.ts';
import { checkApi } from './doctor-api.ts';
import { type Check, checkLines } from './doctor-check.ts';
import {
  checkBroken,
  checkDates,
  checkMapping,
  checkNames,
  checkPooling,
  checkRoom,
  checkSchema,
  checkServer,
  checkTls,
  checkViews,
} from './doctor-database.ts';
import { checkJobs, checkSettings } from './doctor-settings.ts';

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

/** A pooler may give the same session back by chance, and nobody waits for doctor. */
const poolingRounds = 3;

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
      { schema: 'leave', isThere: true },
      async ({ pool, db, ledger, url, embedded }) => {
        checks.push(
          ...checkServer(await readServerFacts(db, settings.config.timeZone), settings.config.timeZone),
        );
        if (!embedded) checks.push(checkTls(url), checkPooling(await findPooling(pool, poolingRounds)));
        const schema = await readSchemaState(pool);
        checks.push(checkSchema(schema));
        checks.push(...checkNames(await findRenamed(db, settings.config.accounts)));
        if (schema.readable) {
          const latest = addDays(runDateIn(settings.config.timeZone, new Date()), mostDaysAhead);
          checks.push(...checkDates(await readFutureDates(db, latest)));
        }
        const isWhole =
          schema.gone.needed.length + schema.gone.views.length === 0 && schema.gone.lost === undefined;
        if (schema.pending.length === 0 && schema.unknown === undefined && isWhole) {
          views = summarize(await readReadiness(db));
          jobs = await checkJobs(settings, db);
          const mapping = await readMappingLines(db);
          // Before the first sync nothing is wrong with the views.
          if (mapping.some(({ hasData }) => hasData))
            checks.push(checkViews(views), ...checkMapping(mapping));
        }
        if (embedded) checks.push(...(await checkRoom(settings.config.dataDir)));
        await askApi(schema.readable ? ledger : undefined);
      },
    );
  } catch (error) {
    if (terminal.signal.aborted || asked) throw error;
    checks.push(checkBroken(error));
    await askApi(undefined);
  }
  return { checks: [...(jobs ?? (await checkJobs(settings))), ...checks], views };
}
