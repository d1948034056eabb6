// Who uses the server of a data folder: one small file for each, so that the last one, and only the
// last one, stops it. Files of processes that died without leaving are swept away.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeOwnProcess, findLivingProcess } from './process-identity.ts';

export interface Registration {
  leave(): Promise<void>;
}

/** Registers the present process in `folder`. Call under the start/stop lock. */
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
