// The file of the mapping on disk: read, and written whole or not at all.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readIfThere } from '../../config/read-file.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { catalogue } from '../../db/code/catalogue.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import { mapGroups } from '../../publish/map-file/map-groups.ts';
import { type MapFile, readMapFile } from '../../publish/map-file/read-map-file.ts';
import { type WrittenMap, writeMapFile } from '../../publish/map-file/write-map-file.ts';
import type { Settings } from './context.ts';

/** In the working folder; the demo has one of its own. */
export const mapFileName = (isDemo: boolean) => (isDemo ? 'airank.demo.map.yaml' : 'airank.map.yaml');

/** @throws ConfigError when it is there and cannot be read */
export function findMapFile(cwd: string, name: string): MapFile | undefined {
  const { text, failure } = readIfThere(resolve(cwd, name), (path) => readFileSync(path, 'utf8'));
  if (failure !== undefined)
    throw new ConfigError([`Expected ${name} to be a file that can be read, got ${failure}`]);
  return text === undefined ? undefined : readMapFile(text, name);
}

/** @throws ConfigError when it is not there */
export function openMapFile(cwd: string, name: string): MapFile {
  const file = findMapFile(cwd, name);
  if (file === undefined) {
    throw new ConfigError([
      `Expected ${name} to be there, got no such file. airank map writes it; another one: airank map test FILE`,
    ]);
  }
  return file;
}

export interface MapText {
  readonly settings: Settings;
  readonly lines: readonly MappingLine[];
  readonly before: MapFile | undefined;
  readonly all?: boolean;
  readonly decided?: ReadonlyMap<string, string | null | undefined>;
}

export function mapText({ settings, lines, before, all, decided }: MapText): WrittenMap {
  const groups = mapGroups(
    catalogue().filter(({ schema }) => schema !== 'bi_history'),
    lines.map(({ field }) => field),
  );
  return writeMapFile(
    { groups, lines, configured: settings.config.mapping, all: all === true },
    before,
    decided,
  );
}

/** @throws ConfigError when it cannot be written */
export function storeMapFile(cwd: string, name: string, text: string): void {
  const path = resolve(cwd, name);
  const next = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(next, text);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new ConfigError([`Expected ${name} to be a file that can be written, got ${messageOf(error)}`]);
  }
}
