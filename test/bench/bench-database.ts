// An empty embedded Postgres in a temporary folder, for one measurement.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/warehouse/embedded/open-embedded-postgres.ts';

export async function withBenchDatabase<Result>(measure: (url: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'airank-bench-'));
  const server = await openEmbeddedPostgres({ dataDir, database: 'bench', log: () => undefined });
  try {
    return await measure(server.url);
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
