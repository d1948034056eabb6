// Checks whether a process lives, and chooses the user that the server runs as.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { WarehouseError } from '../../core/errors.ts';

/**
 * The user that runs the server. Postgres refuses to run as root, so root runs it as an existing unprivileged
 * user; no user is added to the machine.
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
  if (chosen !== undefined) return chosen;
  throw new WarehouseError(
    'Postgres does not run as root, and /etc/passwd has neither "postgres" nor "nobody" to run it as. ' +
      'Run airank as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
  );
}

/** The users of an /etc/passwd text; other lines are skipped. */
export function parsePasswd(text: string): ServerUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** Finds the program with this pid; '' if the system does not tell; undefined: none, or a dead one. */
export async function findProgram(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  if (process.platform === 'win32') return '';
  const [state = '', program = ''] =
    process.platform === 'linux' ? await askProc(pid) : await askPs(pid).catch(() => []);
  // A zombie: it ended, and nobody has waited for it.
  return /^[ZX]/.test(state) ? undefined : program;
}

/** proc(5): `pid (program) state …`; the program's name may itself hold `) `. */
async function askProc(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const end = text.lastIndexOf(')');
  return end < 0 ? [] : [text.slice(end + 2), text.slice(text.indexOf('(') + 1, end)];
}

async function askPs(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,comm=', '-p', String(pid)]);
  const [, state = '', program = ''] = /^\s*(\S+)\s+(?:.*\/)?(.*\S)\s*$/.exec(stdout) ?? [];
  return [state, program];
}
