// The processes that share a data folder: as which user the server runs, which process lives, which of them starts or
// stops the server now, and which use it.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../core/clock.ts';
import { WarehouseError } from '../../core/errors.ts';

/**
 * Who runs the server. Postgres refuses to run as root, so root runs it as an unprivileged user that
 * exists already; no user is added to the machine.
 */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user to run Postgres as: undefined for the present user (anyone but root, and Windows). As
 * root: the owner of the cluster when there is one, else `postgres`, else `nobody`.
 */
export async function findServerUser(dataFolder: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  return chooseServerUser(parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => '')), owner);
}

/** Root's choice among the machine's users. `owner` owns the cluster, when there is one. */
export function chooseServerUser(
  known: readonly ServerUser[],
  owner: { readonly uid: number; readonly gid: number } | undefined,
): ServerUser {
  if (owner !== undefined && owner.uid !== 0) {
    const name = known.find((user) => user.uid === owner.uid)?.name ?? `user ${owner.uid}`;
    return { name, uid: owner.uid, gid: owner.gid };
  }
  const chosen = ['postgres', 'nobody']
    .map((name) => known.find((user) => user.name === name && user.uid !== 0))
    .find((user) => user !== undefined);
  if (chosen === undefined) {
    throw new WarehouseError(
      'Postgres does not run as root, and /etc/passwd has neither "postgres" nor "nobody" to run it as. ' +
        'Run airank as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  return chosen;
}

/** The users of an /etc/passwd text; other lines are skipped. */
export function parsePasswd(text: string): ServerUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

const execFileAsync = promisify(execFile);

interface ProcessFacts {
  /** Same text as long as it is the same process; '' where the system does not tell. */
  readonly identity: string;
  readonly program: string;
}

/** What runs under this pid; undefined when nothing does (or only the remains of a dead process). */
export async function lookUpProcess(pid: number): Promise<ProcessFacts | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !exists(pid)) return undefined;
  if (process.platform === 'linux') return await lookUpInProc(pid);
  if (process.platform === 'win32') return { identity: '', program: '' };
  return await lookUpWithPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function lookUpInProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [text, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    const stat = parseProcStat(text);
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined;
    return { identity: `${bootId.trim()}:${stat.startTicks}`, program: stat.program };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Some systems hide other users' processes in /proc although kill() tells of them.
    return code === 'ESRCH' || (code === 'ENOENT' && !exists(pid))
      ? undefined
      : { identity: '', program: '' };
  }
}

/** proc(5): `pid (program) state … starttime …`; the program's name may itself hold `) `. */
export function parseProcStat(
  text: string,
): { program: string; state: string; startTicks: string } | undefined {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  if (end < 0 || state === undefined || startTicks === undefined) return undefined;
  return { program: text.slice(text.indexOf('(') + 1, end), state, startTicks };
}

async function lookUpWithPs(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const { stdout } = await execFileAsync('ps', ['-o', 'stat=,lstart=,comm=', '-p', String(pid)], {
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
    const match = /^\s*(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]+ \d{4})\s+(.*\S)\s*$/.exec(stdout);
    if (match === null) return exists(pid) ? { identity: '', program: '' } : undefined;
    const [, state = '', started = '', program = ''] = match;
    if (state.startsWith('Z')) return undefined;
    return { identity: started, program: program.slice(program.lastIndexOf('/') + 1) };
  } catch {
    return exists(pid) ? { identity: '', program: '' } : undefined;
  }
}

/** One line that names the present process for later comparison. */
export async function describeOwnProcess(): Promise<string> {
  const facts = await lookUpProcess(process.pid);
  return `${process.pid} ${facts?.identity ?? ''}`;
}

/** The pid of a line from `describeOwnProcess` while that very process lives, else undefined. */
export async function findLivingProcess(line: string): Promise<number | undefined> {
  const [pidText = '', ...rest] = line.trim().split(' ');
  const identity = rest.join(' ');
  const pid = Number(pidText);
  const facts = await lookUpProcess(pid);
  if (facts === undefined) return undefined;
  const same = identity === '' || facts.identity === '' || facts.identity === identity;
  return same ? pid : undefined;
}

interface LockOptions {
  readonly path: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** How long a living holder is waited for. Default 10 minutes: crash recovery may take long. */
  readonly patienceMs?: number;
}

const pollMs = 40;
const tellAfterMs = 2_000;
/** Between creating a lock file and writing its holder into it lie microseconds. */
const unwrittenMs = 10_000;

/**
 * Runs `work` while holding the lock: one process at a time starts or stops the server of a data folder. The lock is a
 * file that names its holder; a holder that died without releasing it is recognised and skipped.
 */
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

interface Registration {
  leave(): Promise<void>;
}

/**
 * Registers the present process in `folder`, one small file for each user of the server, so that the last one, and only
 * the last one, stops it. Call under the start/stop lock.
 */
export async function registerUser(folder: string): Promise<Registration> {
  await mkdir(folder, { recursive: true });
  // One process may open the same folder more than once.
  const path = join(folder, `${process.pid}-${randomBytes(4).toString('hex')}`);
  await writeFile(path, `${await describeOwnProcess()}\n`, { flag: 'wx' });
  return { leave: () => rm(path, { force: true }) };
}

/** Pids of the living users; removes the files of dead ones. Call under the start/stop lock. */
export async function listUsers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const living: number[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const pid = await findLivingProcess(await readFile(path, 'utf8').catch(() => ''));
    if (pid === undefined) await rm(path, { force: true });
    else living.push(pid);
  }
  return living;
}
