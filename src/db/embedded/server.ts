// Starts and stops the server of a cluster through pg_ctl, which gives it a session of its own: it
// outlives the process that started it, and the next process finds it by postmaster.pid.
import { open, rename, stat } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import type { Binaries } from './binaries.ts';
import { assertDiscSpace } from './disc-space.ts';
import { findFreePort, isPortFree } from './free-port.ts';
import { findPostmaster, removeStalePostmasterFile } from './postmaster.ts';
import { runPostgresProgram } from './run-postgres-program.ts';
import type { ServerHome } from './server-home.ts';
import { writeSettings } from './settings.ts';

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
 * Starts the server on `preferredPort` when that is free, else on another one. Resolves when it
 * accepts connections. Call under the start/stop lock, when none runs.
 */
export async function startServer(
  home: ServerHome,
  binaries: Binaries,
  preferredPort: number | undefined,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<RunningServer> {
  await writeSettings(home.dataFolder, home.user);
  await setAsideLongLog(home.logFile);
  let wasKilled = false;
  for (let attempt = 1; ; attempt += 1) {
    wasKilled = (await removeStalePostmasterFile(home.dataFolder)) || wasKilled;
    const port =
      preferredPort !== undefined && attempt === 1 && (await isPortFree(preferredPort))
        ? preferredPort
        : await findFreePort();
    const logStart = (await stat(home.logFile).catch(() => undefined))?.size ?? 0;
    // Relative paths, because pg_ctl hands them to a shell without escaping `$`, `"` or backquotes.
    const result = await runPostgresProgram(
      binaries.pgCtl,
      [
        'start',
        '-w',
        '-t',
        String(startTimeoutSeconds),
        '-D',
        'data',
        '-l',
        'server.log',
        '-o',
        `-p ${port}`,
      ],
      { user: home.user, folder: home.folder, signal },
    );
    signal?.throwIfAborted();
    if (result.code === 0) return { port, startedHere: true };
    // A start that a killed process left under way may have been faster.
    const other = await findReadyServer(home, log, signal);
    if (other !== undefined) return other;
    await assertDiscSpace(home.dataFolder, 2 ** 24);
    const portTaken = !(await isPortFree(port));
    // Children of a killed server hold its shared memory for a moment.
    if (attempt < attempts && (portTaken || wasKilled)) {
      await systemClock.sleep(pauseMs, signal);
      continue;
    }
    const heldPort = portTaken ? ` Port ${port} is in use by another program.` : '';
    throw new WarehouseError(
      `Postgres does not start in ${home.dataFolder}.${heldPort} The end of ${home.logFile}:\n` +
        `${(await readTail(home.logFile, logStart)) || result.output.trim()}`,
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

async function setAsideLongLog(file: string): Promise<void> {
  const facts = await stat(file).catch(() => undefined);
  if (facts !== undefined && facts.size > maxLogBytes) await rename(file, `${file}.1`);
}

/** The last lines that were written after `start`. */
async function readTail(file: string, start: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const from = Math.max(start, size - 8 * 1024);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(8 * 1024), position: from });
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-12).join('\n');
  } finally {
    await handle.close();
  }
}
