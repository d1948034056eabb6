// What was in a backup, noted while its parts go by.
import type { BackupHeader, BackupPart, TableEnd } from './backup-parts.ts';

export interface Contents {
  readonly header: BackupHeader;
  readonly tables: readonly TableEnd[];
}

/** `contents` gives what came, once all parts were read; undefined before. */
export function collect(from: AsyncIterable<BackupPart>): {
  readonly parts: AsyncGenerator<BackupPart>;
  readonly contents: () => Contents | undefined;
} {
  let header: BackupHeader | undefined;
  const tables: TableEnd[] = [];
  let isWhole = false;
  const contents = () => (isWhole && header !== undefined ? { header, tables } : undefined);
  async function* note(): AsyncGenerator<BackupPart> {
    for await (const part of from) {
      if (part.kind === 'header') header = part.header;
      if (part.kind === 'table') tables.push(part.end);
      yield part;
      if (part.kind === 'end') isWhole = true;
    }
  }
  return { parts: note(), contents };
}
