// Parquet files, read back by a library that did not write them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportView } from '../../src/export/export-view.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();

beforeAll(async () => {
  await database.pool.query(`
    create view bi.every_type as
    select * from (values
      (1, true, 9223372036854775807, 54.20, 12345678901234567890.123456789012, date '2026-03-01',
        timestamptz '2026-03-01 23:30:00.123456-05', 'ñandú "x"', '{"a": 1.10}'::jsonb, 1::smallint, 0.5::float8, 'NaN'::numeric, -0.5),
      (2, false, -9223372036854775808, -7, -0.000000000001, date '0001-01-01', timestamptz '1969-12-31 23:59:59.999999+00', '', '[]', -1, -2.5, 1, 0),
      (3, null, null, null, null, null, null, null, null, null, null, null, null)
    ) as v (id, yes, large, score, exact, day, moment, title, body, small, float, odd, half)
    order by 1`);
  await database.pool.query(`
    create view bi.endless as
    select case when i = 600 then 'infinity'::date else date '2026-03-01' + i end as day,
      case when i = 601 then '-infinity'::timestamptz else '2026-03-01' end as moment
    from generate_series(600, 602) as i`);
  await database.pool.query(`
    create view bi.many as
    select i as id, 'client ' || i % 7 as client_id, repeat('x', 200) || i as title, i / 8.0 as score
    from generate_series(1, 60000) as i`);
  await database.pool.query('create view bi.nothing as select 1 as id, 1.5 as score where false');
});

async function parts(view: string): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  const all = { from: undefined, to: undefined, clients: undefined, signal: new AbortController().signal };
  for await (const part of exportView(database.pool, { view, format: 'parquet', ...all })) {
    if (typeof part === 'string') throw new Error('text in a Parquet file');
    found.push(part);
  }
  return found;
}

function bufferOf(found: readonly Uint8Array[]): ArrayBuffer {
  const joined = Buffer.concat(found);
  return joined.buffer.slice(joined.byteOffset, joined.byteOffset + joined.byteLength);
}

const fileOf = async (view: string) => bufferOf(await parts(view));

type Rows = Record<string, unknown>[];

/** Columns of a type as the integers that are stored: the library would make floats or dates of them. */
async function stored(file: ArrayBuffer, type: string): Promise<Rows> {
  const metadata = parquetMetadata(file);
  for (const element of metadata.schema) {
    if (element.converted_type !== type) continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows: Rows = await parquetReadObjects({ file, metadata, utf8: false });
  const read = (value: unknown) => (value instanceof Uint8Array ? bigEndian(value) : value);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, read(value)])),
  );
}

function bigEndian(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

describe('a Parquet file', () => {
  it('has the type of every column, and null where there is nothing', async () => {
    const file = await fileOf('every_type');
    const { schema, num_rows: rows } = parquetMetadata(file);
    expect(rows).toBe(3n);
    expect(schema.slice(1).map((one) => `${one.name} ${one.converted_type ?? one.type}`)).toEqual([
      ...['id INT32', 'yes BOOLEAN', 'large INT64', 'score DECIMAL', 'exact DECIMAL', 'day DATE'],
      ...['moment TIMESTAMP_MICROS', 'title UTF8', 'body UTF8', 'small INT32', 'float DOUBLE'],
      ...['odd UTF8', 'half DECIMAL'],
    ]);
    expect(new Set(schema.slice(1).map((one) => one.repetition_type))).toEqual(new Set(['OPTIONAL']));
    expect(schema.find(({ name }) => name === 'moment')?.logical_type).toMatchObject({
      type: 'TIMESTAMP',
      isAdjustedToUTC: true,
    });
    const [first, second, empty] = await parquetReadObjects({ file });
    expect(first).toMatchObject({
      ...{ yes: true, large: 9223372036854775807n, day: new Date('2026-03-01'), small: 1, float: 0.5 },
      ...{
        moment: new Date('2026-03-02T04:30:00.123Z'),
        title: 'ñandú "x"',
        body: '{"a": 1.10}',
        odd: 'NaN',
      },
    });
    expect(second).toMatchObject({
      ...{ yes: false, large: -9223372036854775808n, day: new Date('0001-01-01T00:00:00Z') },
      ...{ title: '', body: '[]', odd: '1' },
    });
    expect(new Set(Object.values(empty ?? {}))).toEqual(new Set([3, null]));
  });

  it('keeps every digit of a number, as the smallest of the decimals that hold them', async () => {
    const file = await fileOf('every_type');
    const decimals = parquetMetadata(file).schema.filter((one) => one.converted_type === 'DECIMAL');
    expect(decimals.map((one) => [one.name, one.type, one.precision, one.scale])).toEqual([
      ['score', 'INT64', 18, 6],
      ['exact', 'FIXED_LEN_BYTE_ARRAY', 38, 12],
      ['half', 'INT64', 18, 6],
    ]);
    const found = await stored(file, 'DECIMAL');
    const numbers = found.map(({ score, exact, half }) => [score, exact, half]);
    expect(numbers).toEqual([
      [54_200_000n, 12345678901234567890123456789012n, -500_000n],
      [-7_000_000n, -1n, 0n],
      [null, null, null],
    ]);
  });

  it('keeps microseconds before and after 1970', async () => {
    const rows = await stored(await fileOf('every_type'), 'TIMESTAMP_MICROS');
    expect(rows.map(({ moment }) => moment)).toEqual([1772425800123456n, -1n, null]);
  });

  it('has null for a date that never ends', async () => {
    const rows: Rows = await parquetReadObjects({ file: await fileOf('endless') });
    expect(rows.map(({ day }) => day)).toEqual([null, expect.any(Date), expect.any(Date)]);
    expect(rows.map(({ moment }) => moment)).toEqual([expect.any(Date), null, expect.any(Date)]);
  });

  it('comes in row groups, none of which waits for the next, with every row once', async () => {
    const found = await parts('many');
    expect(found).toHaveLength(4);
    const file = bufferOf(found);
    const groups = parquetMetadata(file).row_groups.map((group) => group.num_rows);
    expect(groups).toEqual(Array.from({ length: 3 }, () => 20_000n));
    const rows: Rows = await parquetReadObjects({ file, columns: ['id', 'title'] });
    expect(rows).toHaveLength(60_000);
    const other = rows.filter(
      ({ id, title }, index) => id !== index + 1 || !String(title).endsWith(`x${id}`),
    );
    expect(other).toEqual([]);
  });

  it('without rows is still valid', async () => {
    const file = await fileOf('nothing');
    expect(parquetMetadata(file).schema.map(({ name }) => name)).toEqual(['root', 'id', 'score']);
    expect(await parquetReadObjects({ file })).toEqual([]);
  });

  it.each([
    ['999999999999.999999', 'INT64', 6],
    ['1000000000000', 'FIXED_LEN_BYTE_ARRAY', 12],
    ['0.1234567', 'FIXED_LEN_BYTE_ARRAY', 12],
    [`${'9'.repeat(26)}.${'9'.repeat(12)}`, 'FIXED_LEN_BYTE_ARRAY', 12],
    [`-${'9'.repeat(38)}`, 'FIXED_LEN_BYTE_ARRAY', 0],
    [`0.${'0'.repeat(36)}12`, 'FIXED_LEN_BYTE_ARRAY', 38],
    [`1.${'9'.repeat(38)}`, 'BYTE_ARRAY', undefined],
  ])('holds %s exactly', async (value, type, scale) => {
    await database.pool.query(`create or replace view bi.one_number as select ${value}::numeric as n`);
    const file = await fileOf('one_number');
    const element = parquetMetadata(file).schema[1];
    expect([element?.type, element?.scale]).toEqual([type, scale]);
    const [row] = scale === undefined ? await parquetReadObjects({ file }) : await stored(file, 'DECIMAL');
    const [whole = '', fraction = ''] = value.split('.');
    const expected = scale === undefined ? value : BigInt(whole + fraction.padEnd(scale, '0'));
    expect(row).toEqual({ n: expected });
  });
});

describe('airank export', () => {
  const run = (args: string) => airank(args.split(' '), { cwd: folder, env: { DATABASE_URL: database.url } });

  it('writes a file, whole or not at all', async () => {
    const said = await run('export many --format parquet --client 3 --output many.parquet');
    expect(said, said.stderr).toMatchObject({ exitCode: 0, stdout: '' });
    expect(said.stderr).toMatch(/^many\.parquet: \d/);
    const broken = await run('export nowhere --format parquet --output other.parquet');
    expect(broken.exitCode).toBe(2);
    await database.pool.query(
      `create view bi.broken as select 1 / (1500 - i) as n from generate_series(1, 3000) as i`,
    );
    const halfway = await run('export broken --format csv --output other.csv');
    expect(halfway.exitCode).toBe(1);
    expect(await readdir(folder)).toEqual(['many.parquet']);
    const bytes = await readFile(join(folder, 'many.parquet'));
    expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
  });
});
