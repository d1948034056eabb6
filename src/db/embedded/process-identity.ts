// Tells one process from a later one that got the same pid, and a living one from a dead one.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

export interface ProcessFacts {
  /** Same text as long as it is the same process; '' where the system does not tell. */
  readonly identity: string;
  /** Name of the program, without folders; '' where the system does not tell. */
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
