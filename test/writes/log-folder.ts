// Logs on disk that are written to and rotated as servers do it: renamed, copied and truncated, compressed.
import { appendFile, copyFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type NumberedForm, NumberedLog } from './numbered-log.ts';

interface LogFile {
  /** The newest one is written to. */
  readonly log: NumberedLog;
  name: string;
  /** Bytes of the log that are in the file: the end of a line may not be written yet. */
  writtenBytes: number;
  compressed: boolean;
}

interface Site {
  readonly name: string;
  /** The newest first. */
  readonly files: LogFile[];
}

export interface LogFolder {
  readonly logs: readonly NumberedLog[];
  /** Paths of all files, as somebody would give them to a push. */
  paths(): readonly string[];
  /** Lets a site's log grow; `isHalf`: the last line is not written whole. */
  grow(site: string, lines: number, isHalf?: boolean): Promise<void>;
  /** The log goes on in a new file; how the old one came to its new name. */
  rotate(site: string, how: 'rename' | 'copytruncate'): Promise<void>;
  /** The newest rotated file that is not compressed yet. */
  compress(site: string): Promise<void>;
}

/** Numbers of lines are unique in the folder. */
export function createLogFolder(
  folder: string,
  siteNames: readonly string[],
  nowMs: number,
  random: () => number,
  form: NumberedForm = 'combined',
): LogFolder {
  const logs: NumberedLog[] = [];
  let number = 0;
  let rotations = 0;
  const numbers = () => {
    number += 1;
    return number;
  };
  const begin = (name: string): LogFile => {
    const log = new NumberedLog(nowMs, form);
    logs.push(log);
    return { log, name, writtenBytes: 0, compressed: false };
  };
  const sites = siteNames.map((name): Site => ({ name, files: [begin(`${name}.log`)] }));
  const siteOf = (name: string): { site: Site; current: LogFile } => {
    const site = sites.find((one) => one.name === name);
    const current = site?.files[0];
    if (site === undefined || current === undefined) throw new RangeError(`no site ${name}`);
    return { site, current };
  };
  const write = async (file: LogFile, toByte: number) => {
    await appendFile(join(folder, file.name), file.log.content.subarray(file.writtenBytes, toByte));
    file.writtenBytes = toByte;
  };
  return {
    logs,
    paths: () => sites.flatMap(({ files }) => files.filter(isOnDisk).map(({ name }) => join(folder, name))),
    async grow(name, lines, isHalf = false) {
      const { log } = siteOf(name).current;
      log.grow(lines, numbers, random);
      const last = log.lines.at(-1);
      const cut = isHalf && last !== undefined ? Math.floor((last.toByte - last.fromByte) / 2) : 0;
      await write(siteOf(name).current, log.content.length - cut);
    },
    async rotate(name, how) {
      const { site, current } = siteOf(name);
      if (!isOnDisk(current)) return;
      // A server ends its line before it lets go of a file.
      await write(current, current.log.content.length);
      rotations += 1;
      const old = `${name}.log.${rotations}`;
      const next = begin(`${name}.log`);
      if (how === 'rename') await rename(join(folder, current.name), join(folder, old));
      else {
        await copyFile(join(folder, current.name), join(folder, old));
        await truncate(join(folder, current.name));
      }
      current.name = old;
      site.files.unshift(next);
    },
    async compress(name) {
      const { site } = siteOf(name);
      const file = site.files.slice(1).find(({ compressed }) => !compressed);
      if (file === undefined) return;
      const packed = `${file.name}.gz`;
      await writeFile(join(folder, packed), gzipSync(file.log.content));
      await rm(join(folder, file.name));
      file.name = packed;
      file.compressed = true;
    },
  };
}

function isOnDisk({ writtenBytes }: LogFile): boolean {
  return writtenBytes > 0;
}
