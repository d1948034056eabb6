// The catalogue says of each column of a view the fields that it is made from: what it says is what the database does.
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { fieldsOf, type Origin } from '../../src/db/code/origin.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { readMappingLines } from '../../src/mapping/mapping-lines.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 2 }));

it('has each view and column of bi, bi_history and ops, and no other', async () => {
  const there = await database.lines(`
    select c.relnamespace::regnamespace || '.' || c.relname, string_agg(a.attname, ',' order by a.attname collate "C")
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v' group by 1 order by 1`);
  const said = catalogue().map(
    ({ view, columns }) =>
      `${view} ${columns
        .map(({ name }) => name)
        .sort()
        .join()}`,
  );
  expect(said).toEqual(there);
});

it('has a date that tells when a row was so, or says that it is as it is now', () => {
  const others = catalogue().filter(({ time, row }) => time === undefined && !/, as it is now/.test(row));
  expect(others.map(({ view }) => view)).toEqual([
    'bi.clients',
    'bi.rank_latest',
    'bi.research_candidates',
    'ops.field_catalog',
  ]);
});

it('names fields that there are, of each source', () => {
  const fields = new Map(logicalSources.map(({ name, fields }) => [name, fields]));
  const read = catalogue().flatMap(({ columns }) => columns.flatMap(({ origin }) => fieldsOf(origin)));
  expect(read.filter(({ source, field }) => fields.get(source)?.[field] === undefined)).toEqual([]);
  expect([...fields.keys()].filter((source) => !read.some((one) => one.source === source))).toEqual([]);
});

describe('a field that is taken away', () => {
  /** Views of bi_history are made from the same texts. */
  const views = catalogue().filter(({ schema }) => schema !== 'bi_history');

  /** The fields of a source are shared out among so many rounds. */
  const rounds = 8;

  /** Made of the points of its route alone, which vanish with their score or comparability. */
  const ofWholePoints = [
    ...['bi.rank_trend', 'bi.account_rank'].flatMap((view) => [
      `${view}.position`,
      `${view}.method_position`,
    ]),
    // Clients of the sandbox have a history by one route only.
    ...['score', 'change', 'date'].flatMap((figure) => [
      `bi.rank_latest.${figure}_7d`,
      `bi.rank_latest.${figure}_28d`,
    ]),
    ...['bi.rank_latest.direction', 'bi.rank_latest.mover_position'],
  ];

  /**
   * Columns that only clients fill here. An account's name comes from elsewhere, and they hold it where it has no
   * clients.
   */
  const ofClients = ['rank_daily', 'rank_latest', 'rank_trend', 'rank_dimensions', 'rank2_trend'].map(
    (view) => `bi.${view}.client_name`,
  );

  /** How many values each column has; a word that says that nothing is known is none. */
  async function countValues(): Promise<ReadonlyMap<string, number>> {
    const counted = new Map<string, number>();
    for (const { view: name, columns } of views) {
      const counts = columns.map((column) => `count(nullif("${column.name}"::text, 'unknown'))`).join(', ');
      const { rows } = await database.pool.query({
        text: `select count(*), ${counts} from ${name}`,
        rowMode: 'array',
      });
      const [all, ...values] = (rows[0] ?? []) as string[];
      counted.set(name, Number(all));
      columns.forEach((column, index) => {
        counted.set(`${name}.${column.name}`, Number(values[index]));
      });
    }
    return counted;
  }

  it('empties the columns that the catalogue names, and no other', async () => {
    const lines = (await readMappingLines(database.db)).filter(({ path }) => path !== null);
    const mapping = Object.fromEntries(lines.map(({ field, path }) => [field, path]));
    const bySource = groupBy(
      Object.keys(mapping).filter((field) => !field.endsWith('.(rows)')),
      (field) => field.split('.')[0] ?? '',
    );
    const before = await countValues();
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const taken = [...bySource.values()].flatMap((own) =>
        own.filter((_, index) => index % rounds === round),
      );
      await refreshMapping(database.db, {
        ...mapping,
        ...Object.fromEntries(taken.map((field) => [field, null])),
      });
      const isThere = (origin: Origin): boolean => {
        if (origin.kind === 'known') return true;
        if (origin.kind === 'field') {
          const field = `${origin.source}.${origin.field}`;
          return field in mapping && !taken.includes(field);
        }
        return origin.kind === 'all' ? origin.of.every(isThere) : origin.of.some(isThere);
      };
      const after = await countValues();
      for (const { view: name, columns } of views) {
        if (after.get(name) === 0) continue;
        for (const column of columns) {
          const place = `${name}.${column.name}`;
          // These two come from the client that the row belongs to, not from a field of the row.
          if (name !== 'bi.clients' && /^client_(sector|country)$/.test(column.name)) continue;
          if (before.get(place) === 0 || [...ofWholePoints, ...ofClients].includes(place)) continue;
          const has = (after.get(place) ?? 0) > 0;
          if (has !== isThere(column.origin))
            wrong.push(`${place} ${has ? 'has values' : 'is empty'} without ${taken.join(', ')}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
