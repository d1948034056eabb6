// The warehouse of each released version, made when the version was new.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packageRoot } from '../../src/core/files.ts';
import type { Installed } from './installed-objects.ts';
import { parseShown, type ShownView } from './shown-views.ts';

export interface ReleasedWarehouse {
  /** A file of `airank backup`. */
  readonly backup: Buffer;
  readonly installed: Installed;
  readonly shown: readonly ShownView[];
}

const folder = join(packageRoot(), 'test', 'upgrade');

const backupFile = (version: string) => join(folder, version, 'warehouse.gz');

const separator = '-- Once the rows are in.\n';

/** Oldest first. */
export function releasedVersions(): string[] {
  const byNumbers = new Intl.Collator('en', { numeric: true });
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(byNumbers.compare);
}

export async function readReleased(version: string): Promise<ReleasedWarehouse> {
  const text = gunzipSync(await readFile(join(folder, version, 'installed.sql.gz'))).toString();
  const [objects = '', code = ''] = text.split(separator);
  const shown = parseShown(await readFile(join(folder, version, 'shown.tsv'), 'utf8'));
  return { backup: await readFile(backupFile(version)), installed: { objects, code }, shown };
}
