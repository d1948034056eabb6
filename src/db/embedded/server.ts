// Starts and stops the server of a cluster through pg_ctl, which gives it a session of its own: it
// outlives the process that started it, and the next process finds it by postmaster.pid.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open, readlink, realpath, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import { type Binaries, runPostgresProgram } from './binaries.ts';
import { assertDiscSpace, readIfThere, type ServerHome, settingsFile, writeFileFor } from './cluster.ts';
import { findProgram } from './processes.ts';

const settings = `# Written by airank at each start: changes here are lost.
# Put your own below the include line at the end of postgresql.conf.
listen_addresses = '127.0.0.1'
# A socket's path may be 107 bytes long at most; data folders may be deeper.
unix_socket_directories = ''
cluster_name = 'airank'
max_connections = 100
shared_buffers = 256MB
# "try" may end in a bus error where a container announces huge pages it does not have.
huge_pages = off
work_mem = 16MB
maintenance_work_mem = 64MB
fsync = on
synchronous_commit = on
# A first load writes more log in a moment than the default holds; its sessions would wait for one another.
wal_buffers = 64MB
wal_writer_delay = 20ms
min_wal_size = 80MB
max_wal_size = 1GB
checkpoint_timeout = 15min
# Dashboards ask many short questions: compiling them costs more than it saves.
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'iso, ymd'
lc_messages = 'C'
logging_collector = off
log_line_prefix = '%m [%p] '
log_checkpoints = off
`;

interface Postmaster {
  readonly pid: number;
  readonly port: number | undefined;
  /** `ready`, `starting`, `stopping`, or '' before it has got that far. */
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

/**
 * Finds the living server of this cluster, in whatever state, and never another process that got its pid;
 * undefined: none.
 */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | undefined> {
  const found = parsePostmasterFile((await readIfThere(join(dataFolder, 'postmaster.pid'))) ?? '');
  return found !== undefined && (await isServerOf(found.pid, dataFolder)) ? found : undefined;
}

async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  const program = await findProgram(pid);
  if (program === undefined || !/^(postgres.*)?$/.test(program)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // A server's working directory is its data folder.
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataFolder));
  } catch {
    // Not allowed to look: a server of ours at least runs as the owner of the data folder.
    const running = await stat(`/proc/${pid}`).catch(() => undefined);
    return running !== undefined && running.uid === (await stat(dataFolder)).uid;
  }
}

/**
 * Removes a postmaster.pid whose server was killed. Postgres does so by itself, except when that pid belongs
 * to a stranger, or to a dead process that nobody has waited for. Checks again once the file has another
 * name: if another process has just started a server, it gets the file back.
 */
async function removeStalePostmasterFile(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid');
  const stale = await readIfThere(file);
  if (stale === undefined || (await findPostmaster(dataFolder)) !== undefined) return;
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, file);
    rmSync(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const host = '127.0.0.1';

/** A port that was free a moment ago; somebody may take it before it is used, so callers try again. */
export function findFreePort(): Promise<number> {
  return listenOnce(0);
}

export async function isPortFree(port: number): Promise<boolean> {
  return await listenOnce(port).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

/** Recovery after a crash takes as long as it takes; pg_ctl notices at once when the server dies. */
const startTimeoutSeconds = 600;
const stopTimeoutSeconds = 120;
const attempts = 5;
const pauseMs = 500;
const pollMs = 50;
const tellAfterMs = 2_000;
const maxLogBytes = 10 * 2 ** 20;

export interface RunningServer {
  readonly port: number;
  /** False: it was running already, or another process was faster. */
  readonly startedHere: boolean;
}

/**
 * Finds the cluster's server, started by any process, and waits until it is ready; undefined when none
 * runs (any more). It may be recovering from a crash, or stopping.
 */
export async function findReadyServer(
  home: ServerHome,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<RunningServer | undefined> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const found = await findPostmaster(home.dataFolder);
    if (found === undefined) return undefined;
    if (found.status === 'ready' && found.port !== undefined) return { port: found.port, startedHere: false };
    if (waitedMs >= startTimeoutSeconds * 1000) {
      throw new WarehouseError(
        `Postgres (process ${found.pid}) has been ${found.status || 'starting'} for ${startTimeoutSeconds} s ` +
          `in ${home.dataFolder}. See ${home.logFile}; end that process, then run the command again.`,
      );
    }
    if (waitedMs <= tellAfterMs && waitedMs + pollMs > tellAfterMs) {
      log(`waiting for Postgres (process ${found.pid}), which is ${found.status || 'starting'}`);
    }
    await systemClock.sleep(pollMs, signal);
  }
}

/**
 * Starts the server on `preferredPort` if that is free, else on another port. Resolves when it accepts
 * connections. If several processes start it at once, Postgres lets one; the others find that one.
 */
export async function startServer(
  home: ServerHome,
  binaries: Binaries,
  preferredPort: number | undefined,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<RunningServer> {
  const draft = join(home.dataFolder, `${settingsFile}.${randomBytes(4).toString('hex')}`);
  await writeFileFor(draft, settings, home.user);
  await rename(draft, join(home.dataFolder, settingsFile));
  const { size = 0 } = (await stat(home.logFile).catch(() => undefined)) ?? {};
  if (size > maxLogBytes) await rename(home.logFile, `${home.logFile}.1`);
  for (let attempt = 1; ; attempt += 1) {
    await removeStalePostmasterFile(home.dataFolder);
    const port =
      preferredPort !== undefined && attempt === 1 && (await isPortFree(preferredPort))
        ? preferredPort
        : await findFreePort();
    const logStart = (await stat(home.logFile).catch(() => undefined))?.size ?? 0;
    // Relative paths, because pg_ctl hands them to a shell without escaping `$`, `"` or backquotes.
    const result = await runPostgresProgram(
      binaries.pgCtl,
      ['start', '-w', '-t', `${startTimeoutSeconds}`, '-D', 'data', '-l', 'server.log', '-o', `-p ${port}`],
      { user: home.user, folder: home.folder, signal },
    );
    signal?.throwIfAborted();
    if (result.code === 0) return { port, startedHere: true };
    // Another process, or a start left under way by a killed one, may have been faster.
    const other = await findReadyServer(home, log, signal);
    if (other !== undefined) return other;
    await assertDiscSpace(home.dataFolder, 2 ** 24);
    const portTaken = !(await isPortFree(port));
    // Children of a killed server hold its shared memory for a moment.
    const written = (await readEnd(home.logFile, logStart)) || result.output.trim();
    if (attempt < attempts && (portTaken || /shared memory block|lock file|PID file/.test(written))) {
      await systemClock.sleep(pauseMs, signal);
      continue;
    }
    const heldPort = portTaken ? ` Port ${port} is in use by another program.` : '';
    const tail = written.split('\n').slice(-12).join('\n');
    throw new WarehouseError(
      `Postgres does not start in ${home.dataFolder}.${heldPort} The end of ${home.logFile}:\n${tail}`,
    );
  }
}

/** Stops the server, rolling back what is under way. True when it is down. */
export async function stopServer(home: ServerHome, binaries: Pick<Binaries, 'pgCtl'>): Promise<boolean> {
  if ((await findPostmaster(home.dataFolder)) === undefined) return true;
  const result = await runPostgresProgram(
    binaries.pgCtl,
    ['stop', '-m', 'fast', '-w', '-t', String(stopTimeoutSeconds), '-D', 'data'],
    { user: home.user, folder: home.folder },
  );
  return result.code === 0 || (await findPostmaster(home.dataFolder)) === undefined;
}

/** Reads the log from `start` on, at most its last 8 kB. */
async function readEnd(file: string, start: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const from = Math.max(start, size - 8 * 1024);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(8 * 1024), position: from });
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
