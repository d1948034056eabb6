// A Parquet file in parts: one row group at a time, so that its size is not limited by memory.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ParquetColumn } from './parquet-columns.ts';

/** A row group ends with the batch that brings it to so many rows or characters. */
const groupRows = 20_000;
const groupCharacters = 16 * 1024 * 1024;

/**
 * @param batches rows as texts, in the order of the columns
 * @param notes pairs for the file's footer
 */
export async function* parquetFile(
  columns: readonly ParquetColumn[],
  batches: AsyncIterable<readonly (readonly (string | null)[])[]>,
  notes: readonly { readonly key: string; readonly value: string }[] = [],
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)],
    createdBy: 'airank-warehouse',
    kvMetadata: [...notes],
  });
  let group = emptyGroup(columns);
  for await (const rows of batches) {
    addRows(group, columns, rows);
    if (group.rows < groupRows && group.characters < groupCharacters) continue;
    yield writeGroup(file, bytes, columns, group);
    group = emptyGroup(columns);
  }
  if (group.rows > 0) yield writeGroup(file, bytes, columns, group);
  file.finish();
  yield take(bytes);
}

interface RowGroup {
  readonly values: (boolean | number | bigint | string | null)[][];
  rows: number;
  characters: number;
}

function emptyGroup(columns: readonly ParquetColumn[]): RowGroup {
  return { values: columns.map(() => []), rows: 0, characters: 0 };
}

function addRows(
  group: RowGroup,
  columns: readonly ParquetColumn[],
  rows: readonly (readonly (string | null)[])[],
): void {
  for (const [index, column] of columns.entries()) {
    const values = group.values[index];
    for (const row of rows) {
      const text = row[index] ?? null;
      values?.push(text === null ? null : column.read(text));
      group.characters += text?.length ?? 0;
    }
  }
  group.rows += rows.length;
}

function writeGroup(
  file: ParquetWriter,
  bytes: ByteWriter,
  columns: readonly ParquetColumn[],
  group: RowGroup,
): Uint8Array {
  const columnData = columns.map(({ name }, index) => ({
    name,
    data: group.values[index] ?? [],
    // Would be held until the end of the file, and helps only readers that skip pages.
    offsetIndex: false,
  }));
  file.write({ columnData, rowGroupSize: group.rows });
  return take(bytes);
}

/** Returns what was written since the last call; offsets within the file go on. */
function take(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice();
  bytes.index = 0;
  return taken;
}
