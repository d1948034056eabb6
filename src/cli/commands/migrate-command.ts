// airank migrate: brings the warehouse to this version's schema.

import { messageOf } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { isBusy, isConnectionLost } from '../../db/sqlstate.ts';
import { type MigrateResult, migrate } from '../../install/migrate.ts';
import { refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';
import { type OpenWarehouse, readSettings, type Settings, streamNames, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { say, type Terminal } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

export const command = defineCommand({
  about: "bring the warehouse to this version's schema and make its views (sync does so by itself)",
  flags: { ...demoFlag, '--json': 'print what was applied and made as JSON on stdout' },
  help: `
Migrations go forward only, each once, under a lock: any number of processes
may try at the same time.

Examples:
  $ airank migrate
  $ airank migrate --demo
  $ DATABASE_URL=postgres://owner@db.example.com/warehouse airank migrate --json`,
  async run({ terminal, flags, print }) {
    const bring = async ({ pool, db }: OpenWarehouse, settings: Settings) => {
      const done = await migrate(pool, streamNames(settings));
      const views = await makeViews(db, settings, terminal);
      const { applied, again } = done;
      print({ applied, again, views, ...done.views }, textOf(done, views));
    };
    const options = { schema: 'leave' } as const;
    if (flags.demo) return await useWarehouse(terminal, flags, options, bring);
    const settings = readSettings(terminal, { needAccounts: false });
    await withWarehouse(terminal, settings, options, (warehouse) => bring(warehouse, settings));
  },
});

/**
 * Renews the views of sources that show less than there is, and returns the sources' names. Reports views that a busy
 * warehouse does not allow now; the next sync makes them.
 */
async function makeViews(db: Executor, settings: Settings, terminal: Terminal): Promise<readonly string[]> {
  const leave = (what: string, error: string) =>
    say(terminal, `${what} could not be made, the next sync tries again: ${settings.scrub(error)}`);
  try {
    const { refreshed, failed } = await refreshViews(db);
    for (const { source, error } of failed) leave(`The views of ${source}`, error);
    await refreshMapping(db, settings.config.mapping);
    return refreshed;
  } catch (error) {
    if (isConnectionLost(error) || isBusy(error)) throw error;
    leave('Some views', messageOf(error));
    return [];
  }
}

/** More views than this are counted by schema, not named. */
const mostNamed = 8;

function textOf({ applied, again, views }: MigrateResult, generated: readonly string[]): string[] {
  const { installed, dropped, left } = views;
  const lines =
    applied.length === 0
      ? ['The warehouse is up to date.']
      : [`Applied ${plural(applied.length, 'migration')}:`, ...applied.map((name) => `  ${name}`)];
  if (again.length > 0) lines.push(`Recreated what was missing: ${again.join(', ')}.`);
  for (const schema of ['api', 'ops'].filter((name) => again.includes(`schema ${name}`))) {
    lines.push(`Roles that read ${schema} need the right again: airank grant-bi ROLE --${schema}`);
  }
  if (installed.length > 0) lines.push(`Installed ${installedText(installed)}.`);
  if (dropped.length > 0) lines.push(`Dropped views that this version no longer has: ${dropped.join(', ')}.`);
  for (const { view, because } of left) {
    lines.push(`${view} could not be replaced: ${because}. The next sync tries again, or airank migrate.`);
  }
  if (generated.length > 0) lines.push(`Made the views of ${plural(generated.length, 'source')} in api.`);
  return lines;
}

function installedText(views: readonly string[]): string {
  if (views.length <= mostNamed) return `${plural(views.length, 'view')}: ${views.join(', ')}`;
  const bySchema = groupBy(views, (view) => view.split('.')[0] ?? '');
  const counts = [...bySchema].map(([schema, those]) => `${those.length} in ${schema}`);
  return `${plural(views.length, 'view')}: ${counts.join(', ')}. airank views lists them`;
}
