// Reads postmaster.pid, the file by which a running server is found, and tells a server of this
// cluster from a dead one and from a stranger that got its pid.
import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lookUpProcess } from './process-identity.ts';

export interface Postmaster {
  readonly pid: number;
  /** Undefined while it has not got that far. */
  readonly port: number | undefined;
  /** `ready`, `starting`, `stopping`, or '' while it has not got that far. */
  readonly status: string;
}

/** The content of a postmaster.pid; undefined when its first line is no pid. */
export function parsePostmasterFile(text: string): Postmaster | undefined {
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory key, status.
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3] ?? '');
  return {
    pid,
    port: Number.isSafeInteger(port) && port > 0 ? port : undefined,
    status: lines[7] ?? '',
  };
}

/** The living server of this cluster, in whatever state; undefined when there is none. */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const found = parsePostmasterFile(text);
  return found !== undefined && (await isServerOf(found.pid, dataFolder)) ? found : undefined;
}

async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  const facts = await lookUpProcess(pid);
  if (facts === undefined) return false;
  if (facts.program !== '' && !/^postgres/.test(facts.program)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // A server's working directory is its data folder.
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataFolder));
  } catch {
    // Not allowed to look: a server of ours at least runs as the owner of the data folder.
    const [running, owned] = await Promise.all([
      stat(`/proc/${pid}`).catch(() => undefined),
      stat(dataFolder),
    ]);
    return running !== undefined && running.uid === owned.uid;
  }
}

/**
 * Removes a postmaster.pid whose server is gone; true when there was one, because that server was
 * not shut down. Postgres does so by itself, except when a stranger
 * or a dead process that nobody has waited for holds that pid: then it refuses to start.
 */
export async function removeStalePostmasterFile(dataFolder: string): Promise<boolean> {
  if ((await findPostmaster(dataFolder)) !== undefined) return false;
  return await rm(join(dataFolder, 'postmaster.pid')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
