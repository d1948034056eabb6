// Tells whether another user can get to a folder, by the modes of all folders above it.
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ServerUser } from './server-user.ts';

export interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The first folder on the way to `folder` (itself included) that the user may not enter, if any. */
export async function firstClosedFolder(folder: string, user: ServerUser): Promise<string | undefined> {
  const ways: string[] = [];
  for (let way = await realpath(folder); ; way = dirname(way)) {
    ways.unshift(way);
    if (dirname(way) === way) break;
  }
  for (const way of ways) {
    if (!mayEnter(await stat(way), user)) return way;
  }
  return undefined;
}

/** The one class of mode bits that applies decides: owner, else group, else others. */
export function mayEnter(folder: Ownership, user: ServerUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
