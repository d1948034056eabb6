// The views of bi and their columns, as the files of sql/bi comment them.
import { readCodeFiles } from '../../src/warehouse/code/code-files.ts';

export async function readBiColumns(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { views } = await readCodeFiles();
  const columns = new Map<string, string[]>();
  for (const { text } of views) {
    for (const [, view = '', column = ''] of text.matchAll(/^comment on column bi\.(\w+)\.(\w+) is/gm)) {
      columns.set(view, [...(columns.get(view) ?? []), column]);
    }
  }
  return columns;
}
