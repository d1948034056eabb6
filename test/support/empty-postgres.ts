// An empty embedded Postgres in a temporary folder, for one piece of work.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';

export async function withEmptyPostgres<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'airank-empty-'));
  // Root runs the server as another user, who must be able to enter: else its data would stay behind beside the folder.
  await chmod(dataDir, 0o711);
  const server = await openEmbeddedPostgres({ dataDir, database: 'empty', log: () => undefined });
  try {
    return await work(server.url);
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
