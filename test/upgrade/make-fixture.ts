// npm run release -- fixture: keeps the warehouse of this version, for the upgrade tests of every later one.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoDatabase } from '../../src/cli/context.ts';
import { packageRoot } from '../../src/core/files.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { createPool } from '../../src/db/pool.ts';
import { dumpInstalled } from './installed-objects.ts';
import { backupFile, fixtureFolder, writeReleased } from './released-versions.ts';
import { readShown } from './shown-views.ts';

/** Few dates and clients: it goes into the repository. */
const demo = ['demo', '--days', '4', '--clients', '2'];

/** Made anew where it is there already. @param log one line for people */
export async function makeFixture(version: string, log: (line: string) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-fixture-'));
  // Neither settings nor data of whoever makes it.
  const env = { PATH: process.env['PATH'], HOME: folder, AIRANK_DATA_DIR: join(folder, 'data') };
  const airank = async (args: readonly string[]) =>
    await promisify(execFile)(process.execPath, [join(packageRoot(), 'src', 'launch.mjs'), ...args], {
      cwd: folder,
      env,
    });
  try {
    log(`The demo of ${version}, with ${demo.slice(1).join(' ')}`);
    await airank(demo);
    await mkdir(fixtureFolder(version), { recursive: true });
    await airank(['backup', '--demo', '--overwrite', backupFile(version)]);
    const options = { dataDir: env.AIRANK_DATA_DIR, database: demoDatabase, log: () => undefined };
    const server = await openEmbeddedPostgres(options);
    const pool = createPool({ connectionString: server.url, max: 2, applicationName: 'airank-fixture' });
    try {
      const shown = await readShown(pool);
      await writeReleased(version, { installed: await dumpInstalled(pool), shown });
      const { size } = await stat(backupFile(version));
      log(`test/upgrade/${version}: ${shown.length} views, a backup of ${Math.ceil(size / 1000)} kB`);
    } finally {
      await pool.end();
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
