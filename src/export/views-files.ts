// The views as files for other tools: sources for dbt, datasets for Superset.

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { stringify } from 'yaml';
import type { ViewSchema } from '../db/code/catalogue.ts';
import { type Measure, measuresOf, rowMeasuresOf, type Unit } from '../db/code/measures.ts';
import type { DescribedView } from '../publish/views/list-views.ts';
import { supersetDashboard } from './superset-dashboard.ts';

/** A run date is its midnight, so a day that was synced at noon is up to date until the next noon. */
const freshness = {
  // dbt takes the newest row, which is fresh while one client of many is: so each row gives the oldest date.
  loaded_at_field:
    "(select min(coalesce(complete_run_date, '1970-01-01'))::timestamp from bi.freshness where client_left_on is null and status <> 'unavailable')",
  freshness: { warn_after: { count: 36, period: 'hour' }, error_after: { count: 72, period: 'hour' } },
};

const head = `# The curated views as sources of dbt, one a schema, made by: airank views --format dbt-sources
# Make it anew after an upgrade; changes by hand are lost.
`;

const schemas: Readonly<Record<ViewSchema, readonly [string, string]>> = {
  bi: ['airank', 'AI-visibility figures of every client: what is so now, and what happened.'],
  bi_history: ['airank_history', 'What the views of bi said on each run date.'],
  ops: ['airank_ops', 'The warehouse itself: budget, writes, fields of the data.'],
};

export function dbtSources(views: readonly DescribedView[]): string {
  const sources = Object.entries(schemas).map(([schema, [name, description]]) => ({
    name,
    schema,
    description,
    tables: views.filter((view) => view.schema === schema).map(tableOf),
  }));
  return head + stringify({ version: 2, sources }, { lineWidth: 0 });
}

function tableOf(view: DescribedView): object {
  const { name, row, question, columns } = view;
  // The first measure of a column wins; in bi_history that is the one of the latest date.
  const measures = new Map(
    measuresOf(view)
      .map(({ column, unit, sql }) => [column, { unit, measure: sql }] as const)
      .reverse(),
  );
  return {
    name,
    description: `Grain: one row ${row}. ${question}`,
    ...(view.view === 'bi.freshness' && freshness),
    columns: columns.map((column) => ({
      name: column.name,
      description: column.comment,
      data_type: column.type,
      ...(measures.has(column.name) && { meta: measures.get(column.name) }),
    })),
  };
}

/**
 * A connection of Apache Superset. The curated views come as datasets with a dashboard, in the ZIP that its
 * import takes: a connection, and a file for each view and chart. Superset reads no comments of views,
 * averages no boolean, and takes any date for the time of a row, so descriptions, measures and the right date
 * come from the catalogue.
 */
interface SupersetConnection {
  /** Its name in Superset, which tells its datasets from those of another connection. */
  readonly name: string;
  /** The address of the warehouse; neither its role nor its password is exported. */
  readonly url: string;
}

/** The role that `airank grant-bi superset` makes. Superset asks for its password where it has none. */
const supersetRole = 'superset';
const masked = 'XXXXXXXXXX';

const formats: Readonly<Record<Unit, string>> = {
  count: ',d',
  money: ',.2f',
  'share 0 to 1': '.1%',
  points: '.1f',
  position: '.1f',
  milliseconds: ',.0f',
  seconds: ',.1f',
  number: ',.2f',
};

/** Files by name: the same views make the same bytes. @param views of bi, perhaps with those of bi_history */
export function supersetDatasets(views: readonly DescribedView[], connection: SupersetConnection): Buffer {
  const { hostname, port, pathname, searchParams } = new URL(connection.url);
  const tls = searchParams.get('sslmode');
  const address = `${hostname || 'localhost'}:${port || '5432'}${pathname}${tls ? `?sslmode=${tls}` : ''}`;
  const database = {
    database_name: connection.name,
    sqlalchemy_uri: `postgresql+psycopg2://${supersetRole}:${masked}@${address}`,
    cache_timeout: null,
    expose_in_sqllab: true,
    allow_run_async: false,
    allow_ctas: false,
    allow_cvas: false,
    allow_dml: false,
    allow_csv_upload: false,
    extra: { allows_virtual_table_explore: true },
    uuid: uuidOf(connection.name),
    version: '1.0.0',
  };
  // Has no type: dashboards and datasets import it alike. A dashboard leaves datasets alone that are there.
  const metadata = { version: '1.0.0', timestamp: '2026-01-01T00:00:00+00:00' };
  const named = (name: string) => uuidOf(`${connection.name} ${name}`);
  // JSON is YAML in which a text that looks like a date stays a text.
  const text = (value: object) => JSON.stringify(value, null, 1);
  return zip([
    ['airank/metadata.yaml', text(metadata)],
    ['airank/databases/airank.yaml', text(database)],
    ...views.map((view): [string, string] => [
      `airank/datasets/airank/${view.schema}.${view.name}.yaml`,
      text(datasetOf(view, named(view.view), database.uuid)),
    ]),
    ...supersetDashboard(views, {
      uuidOf: named,
      datasetOf: named,
      formatOf: ({ unit }) => formats[unit],
    }).map(([path, value]): [string, string] => [`airank/${path}`, text(value)]),
  ]);
}

function datasetOf(view: DescribedView, uuid: string, database: string): object {
  const { schema, name, columns } = view;
  const time = columns.some((column) => column.name === view.time) ? view.time : undefined;
  const isHistory = schema === 'bi_history';
  return {
    // If Superset keeps its own data in SQLite, it allows a dataset name only once, across all schemas.
    table_name: isHistory ? `${name}_history` : name,
    // A view of now has none: "last 28 days" would leave it empty.
    main_dttm_col: time ?? null,
    description: `One row ${view.row}. ${view.question}`,
    default_endpoint: null,
    offset: 0,
    cache_timeout: null,
    schema,
    sql: isHistory ? `select * from ${view.view}` : null,
    params: null,
    template_params: null,
    filter_select_enabled: true,
    fetch_values_predicate: null,
    extra: null,
    uuid,
    // Rows last, so that a new chart shows a measure.
    metrics: [...measuresOf(view), ...rowMeasuresOf(view)].map(metricOf),
    columns: columns.map((column) => {
      const isMoment = /^(date|timestamp)/.test(column.type);
      return {
        column_name: column.name,
        verbose_name: null,
        is_dttm: isMoment && time !== undefined && (column.name === time || column.name !== 'run_date'),
        is_active: true,
        type: column.type.toUpperCase(),
        groupby: true,
        filterable: true,
        expression: null,
        description: column.comment,
        python_date_format: null,
      };
    }),
    version: '1.0.0',
    database_uuid: database,
  };
}

const metricOf = ({ name, label, about, unit, sql }: Omit<Measure, 'column'>) => ({
  metric_name: name,
  verbose_name: label,
  metric_type: null,
  expression: sql,
  description: about,
  d3format: formats[unit],
});

/** Returns the same id for the same name, so that a new import replaces the earlier one. */
function uuidOf(name: string): string {
  const hash = createHash('sha256').update(`airank ${name}`).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}

/** Stored without compression, each file of 1 January 1980: the same files make the same bytes. */
function zip(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of files) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    // Version 2.0; bit 11: names are UTF-8.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt32LE(0x00210000, 6);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, data]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, end, path]));
    parts.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(files.length, 8);
  last.writeUInt16LE(files.length, 10);
  last.writeUInt32LE(size, 12);
  last.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, last]);
}
