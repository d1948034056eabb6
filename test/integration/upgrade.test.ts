// The warehouse of each released version, brought up to date where it stands, and by way of its backup: its views show
// what they showed before. docs/operating.md lists the versions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { pendingSchema } from '../../src/install/expect-schema.ts';
import { migrate } from '../../src/install/migrate.ts';
import { readMigrationFiles } from '../../src/install/migration-files.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { partsOf, restore, streamNames } from '../support/backup-in-process.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type ReleasedWarehouse, readReleased, releasedVersions } from '../upgrade/released-versions.ts';
import { installReleased, migrationsOf } from '../upgrade/released-warehouse.ts';
import { readShown } from '../upgrade/shown-views.ts';

/** What a later version took away on purpose, as view or view.column, by the version that still had it. */
const takenAway: Readonly<Record<string, readonly string[]>> = { '0.1.0': [], '0.2.0': [] };

/** What views of a name that went are called now. */
const renamed: Readonly<Record<string, string>> = {
  'bi.action_outcomes': 'bi.actions',
  'bi.benchmark_position': 'bi.benchmark',
  'bi.bgpi_signals': 'bi.prompt_signals',
  'bi.competitor_share': 'bi.share_of_voice',
  'bi.experiment_readouts': 'bi.experiments',
  'bi.fanout_coverage': 'bi.prompt_fanouts',
  'bi.field_catalog': 'ops.field_catalog',
  'bi.product_performance': 'bi.products',
  'bi.rank_excluded_points': 'bi.rank_excluded',
  'bi.request_budget': 'ops.request_budget',
  'bi.revenue_by_currency': 'bi.revenue',
  'bi.shopping_merchants': 'bi.shopping',
  'bi.surface_matrix': 'bi.prompt_surfaces',
  'bi.sync_health': 'bi.freshness',
  'bi.write_log': 'ops.write_log',
};

/** Why a view is gone, or shows something else. */
const onPurpose: Readonly<Record<string, string>> = {
  'bi.competitor_share': 'the brand itself is among its rivals, and shares are computed where none is stated',
  'bi.competitor_share_daily': 'as above, on each run date',
  'bi.field_catalog': 'there are more fields',
  'bi.predictions': 'horizon_days is that of each date',
  'bi.predictions_daily': 'horizon_days is that of each date',
  'bi.portfolio_movers': 'bi.rank_latest, where mover_position is not null',
  'bi.rank2_trend': 'clients only',
  'bi.rank_dimensions': 'clients only; score is of the current method, method_score of each',
  'bi.rank_excluded': 'a row a point, as in bi.rank_excluded_points before',
  'bi.rank_latest': 'clients only, a row each: by the current method',
  'bi.rank_trend': 'clients only; score is of the current method, method_score of each',
  'bi.source_gaps': 'bi.sources, where is_gap',
  'bi.source_gaps_daily': 'bi_history.sources, where is_gap',
};

/** The place of a view of before; what it said on each run date is in bi_history. */
function placeOf(view: string): string {
  const [, daily] = /^bi\.(\w+)_daily$/.exec(view) ?? [];
  return (
    renamed[view] ?? (daily === undefined ? view : placeOf(`bi.${daily}`).replace(/^bi\./, 'bi_history.'))
  );
}

/** Sources whose typed tables `airank migrate` fills anew, which docs/operating.md and the changelog say. */
const filledAnew = [
  'answers',
  'benchmark',
  'bgpi',
  'citations',
  'competitors',
  'crawl',
  'demand',
  'fanouts',
  'merchants',
  'perception',
  'products',
  'prompt_clusters',
  'prompts',
  'rank_history',
  'rank_now',
  'revenue',
  'sources',
  'surfaces',
  'visibility_history',
  'visibility_now',
];

const [oldest = ''] = releasedVersions();

test.each(releasedVersions())('%s is known, and so is what was taken away since', (version) => {
  expect(Object.keys(takenAway)).toContain(version);
});

describe.each(releasedVersions())('the warehouse of %s', (version) => {
  let released: ReleasedWarehouse;
  let database: TestDatabase;

  beforeAll(async () => {
    [released, database] = await Promise.all([readReleased(version), createEmptyTestDatabase()]);
    await installReleased(database.pool, released);
  });

  afterAll(async () => {
    await database?.drop();
  });

  test('shows here what it showed there', async () => {
    expect(await readShown(database.pool)).toEqual(released.shown);
  });

  test('loses no view, no column and no mapping, and shows the same after migrate', async () => {
    const before = await tables(database);
    const had = new Set(await migrationsOf(released.backup));
    const lacks = (await readMigrationFiles()).map(({ name }) => name).filter((name) => !had.has(name));
    const built = await buildUpon(database);
    const { applied, views } = await migrate(database.pool, streamNames);
    expect(applied).toEqual(lacks);
    expect(views.left).toEqual([
      {
        view: 'bi.rank_excluded_by_reason',
        because: expect.stringMatching(/view built\.excluded depends on view bi\.rank_excluded_by_reason/),
      },
      {
        view: 'bi.source_gaps',
        because: expect.stringMatching(/view built\.gaps depends on view bi\.source_gaps/),
      },
    ]);
    expect(views.dropped).toEqual(['bi.portfolio_movers', 'bi.source_gaps_daily']);
    expect(await built.shown()).toEqual(built.before);
    expect(await built.lacking()).toEqual([]);
    await database.pool.query('drop schema built cascade');
    expect((await refreshViews(createDatabase(database.pool), { all: true })).failed).toEqual([]);
    expect(await pendingSchema(database.pool)).toEqual([]);
    expect(await compare(database, version, released)).toEqual([]);
    const now = await tables(database);
    const found = new Map(now.map(({ source, mapping }) => [source, new Set(mapping)]));
    // Fields of this version are looked for; what was mapped stays.
    const gone = before.flatMap(({ source, mapping }) =>
      mapping.filter((one) => found.get(source)?.has(one) !== true).map((one) => `${source} ${one}`),
    );
    expect(gone).toEqual([]);
    const hashes = new Map(before.map(({ source, hash }) => [source, hash]));
    const changed = now.filter(({ source, hash }) => hashes.has(source) && hashes.get(source) !== hash);
    expect(changed.map(({ source }) => source)).toEqual(filledAnew);
  });
});

test('the oldest of them shows the same after a restore of its backup', async () => {
  const restored = await createEmptyTestDatabase();
  try {
    const released = await readReleased(oldest);
    expect((await restore(restored.pool, partsOf(released.backup))).failed).toEqual([]);
    expect(await compare(restored, oldest, released)).toEqual([]);
  } finally {
    await restored.drop();
  }
});

/** What an agency built on views that move, change or go, and a role of theirs that reads bi. */
async function buildUpon({ pool }: TestDatabase) {
  const role = `built_${process.pid}`;
  await pool.query(`create schema built;
    create view built.products as select client_id, title, presence_rate from bi.product_performance;
    create view built.daily as select client_id, run_date, title, is_latest from bi.product_performance_daily;
    create view built.health as select stream, run_date, is_complete from bi.sync_health_daily;
    create view built.excluded as select client_id, excluded_reason, point_count from bi.rank_excluded;
    create view built.points as select client_id, date, excluded_reason from bi.rank_excluded_points;
    create view built.gaps as select domain, gap_count from bi.source_gaps;
    drop role if exists ${role};
    create role ${role};
    grant usage on schema bi to ${role};
    grant select on all tables in schema bi to ${role};
    alter default privileges in schema bi grant select on tables to ${role}`);
  const shown = async () => {
    const texts: string[] = [];
    for (const name of ['products', 'daily', 'health', 'excluded', 'points', 'gaps']) {
      const { rows } = await pool.query<{ text: string }>(
        `select x::text as text from built.${name} as x order by 1`,
      );
      expect(rows.length).toBeGreaterThan(0);
      texts.push(...rows.map(({ text }) => text));
    }
    return texts;
  };
  /** Views that the role may not read and should, or may and should not; without the role afterwards. */
  const lacking = async () => {
    const { rows } = await pool.query<{ view: string }>(
      `select c.oid::regclass::text as view from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'v' and n.nspname in ('bi', 'bi_history', 'ops') and (n.nspname <> 'ops')
         <> (has_schema_privilege($1, n.oid, 'usage') and has_table_privilege($1, c.oid, 'select'))`,
      [role],
    );
    await pool.query(`drop owned by ${role}; drop role ${role}`);
    return rows.map(({ view }) => view);
  };
  return { before: await shown(), shown, lacking };
}

/** What each typed table is read by, and the hash of the statements that make and fill it. */
async function tables({ pool }: TestDatabase) {
  const { rows } = await pool.query<{ source: string; hash: string; mapping: readonly string[] }>(`
    select source, hash, array(select m::text from jsonb_array_elements(mapping) as m) as mapping
    from sync.typed_table where not is_next order by source`);
  return rows;
}

/** One line for each view or column that is gone, and each view that shows something else. */
async function compare(
  { pool }: TestDatabase,
  version: string,
  { shown }: ReleasedWarehouse,
): Promise<string[]> {
  const moved = shown.map((view) => ({ ...view, view: placeOf(view.view) }));
  const now = new Map((await readShown(pool, moved)).map((view) => [view.view, view]));
  const missing = (name: string) => (takenAway[version]?.includes(name) ? [] : [`${name} is gone`]);
  return moved.flatMap((before, index) => {
    if (shown[index] !== undefined && shown[index].view in onPurpose) return [];
    const after = now.get(before.view);
    if (after === undefined) return missing(before.view);
    const gone = before.columns.filter((column) => !after.columns.includes(column));
    if (gone.length > 0) return gone.flatMap((column) => missing(`${before.view}.${column}`));
    if (after.rows === before.rows && after.digest === before.digest) return [];
    return [`${before.view}: ${before.rows} rows before, ${after.rows} now, with other content`];
  });
}
