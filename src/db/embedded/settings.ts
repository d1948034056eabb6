// The server's settings, included from postgresql.conf and written anew at each start.
import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './server-user.ts';

const fileName = 'airank.conf';

/** The line that postgresql.conf needs; a relative path starts at its own folder. */
export const includeLine = `include_if_exists = '${fileName}'`;

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

/** Writes the settings file as the server's user, whole or not at all. */
export async function writeSettings(dataFolder: string, user: ServerUser | undefined): Promise<void> {
  const draft = join(dataFolder, `${fileName}.${randomBytes(4).toString('hex')}`);
  await writeFileFor(draft, settings, user);
  await rename(draft, join(dataFolder, fileName));
}

/** Writes a new file with mode 0600 that belongs to the user; never through a link. */
export async function writeFileFor(path: string, text: string, user: ServerUser | undefined): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (user !== undefined) await file.chown(user.uid, user.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}
