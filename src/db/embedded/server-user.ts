// Who runs the server. Postgres refuses to run as root, so root runs it as an unprivileged user that
// exists already; no user is added to the machine.
import { readFile, stat } from 'node:fs/promises';
import { WarehouseError } from '../../core/errors.ts';

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
