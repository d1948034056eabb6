// One process at a time starts or stops the server of a data folder. The lock is a file that names
// its holder; a holder that died without releasing it is recognised and skipped.
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';
import { describeOwnProcess, findLivingProcess } from './process-identity.ts';

export interface LockOptions {
  readonly path: string;
  readonly log: (line: string) => void;
  /** Gives up waiting when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** How long a living holder is waited for. Default 10 minutes: crash recovery may take long. */
  readonly patienceMs?: number;
}

const pollMs = 40;
const tellAfterMs = 2_000;
/** Between creating a lock file and writing its holder into it lie microseconds. */
const unwrittenMs = 10_000;

/** Runs `work` while holding the lock. */
export async function withStartStopLock<Result>(
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = await acquire(options);
  try {
    return await work();
  } finally {
    await release(options.path, line);
  }
}

async function acquire(options: LockOptions): Promise<string> {
  const { path, log, signal, patienceMs = 600_000 } = options;
  // The last word tells apart two holders in one process.
  const line = `${await describeOwnProcess()} ${randomBytes(6).toString('hex')}`;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    signal?.throwIfAborted();
    if (await create(path, line)) return line;
    const holder = await findHolder(path);
    if (holder === 'nobody') {
      await removeStale(path);
    } else if (waitedMs >= patienceMs) {
      throw new WarehouseError(
        `Process ${holder} has been starting or stopping Postgres for ${Math.round(patienceMs / 1000)} s ` +
          `(lock file ${path}). Wait for it or end it, then run the command again.`,
      );
    } else if (waitedMs <= tellAfterMs && waitedMs + pollMs > tellAfterMs) {
      log(`waiting for process ${holder}, which is starting or stopping Postgres (${path})`);
    }
    await systemClock.sleep(pollMs, signal);
  }
}

async function create(path: string, line: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o644);
    try {
      await file.writeFile(`${line}\n`);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // Windows answers EPERM while a deleted file is still open somewhere.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

/** The pid of the living holder, `unknown` while it is being written, or `nobody`. */
async function findHolder(path: string): Promise<number | 'unknown' | 'nobody'> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  // Released in between: the next try creates it, or waits for the process that was faster.
  if (text === undefined) return 'unknown';
  if (text.endsWith('\n')) {
    const words = text.trim().split(' ');
    return (await findLivingProcess(words.slice(0, -1).join(' '))) ?? 'nobody';
  }
  return (await ageMs(path)) > unwrittenMs ? 'nobody' : 'unknown';
}

/**
 * Two waiters may see the same dead holder: the slower one must not remove the lock that the faster
 * one has just taken. So removing happens under a second lock, held for an instant, and looks again.
 */
async function removeStale(path: string): Promise<void> {
  const guard = `${path}.removing`;
  if (!(await create(guard, await describeOwnProcess()))) {
    if ((await ageMs(guard)) > unwrittenMs) await rm(guard, { force: true });
    return;
  }
  try {
    if ((await findHolder(path)) === 'nobody') await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

async function release(path: string, line: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.trim() === line) await rm(path, { force: true });
}

async function ageMs(path: string): Promise<number> {
  const facts = await stat(path).catch(() => undefined);
  return facts === undefined ? 0 : Date.now() - facts.mtimeMs;
}
