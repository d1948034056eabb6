// Lives through every scenario with readers at the views, on a database server of its own that may be restarted.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openEmbeddedPostgres } from '../../../src/db/embedded/open.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import { createCopies } from '../copies.ts';
import { randomOf } from '../random.ts';
import { pause, startReaders } from './readers.ts';
import { scenarios } from './scenarios.ts';
import { createStation } from './station.ts';

interface CrashResult {
  readonly name: string;
  readonly wrong: readonly string[];
  /** Answers that the readers looked at. */
  readonly looks: number;
}

export async function runCrashes(
  options: { readonly seed: number; readonly only: RegExp },
  progress: (line: string) => void,
): Promise<CrashResult[]> {
  const chosen = scenarios.filter(({ name }) => options.only.test(`crash ${name}`));
  if (chosen.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'airank-crashes-'));
  await chmod(folder, 0o711);
  const open = () => openEmbeddedPostgres({ dataDir: folder, database: 'postgres', log: () => undefined });
  let postgres = await open();
  const proxy = await startDatabaseProxy(postgres.url);
  const results: CrashResult[] = [];
  try {
    const copies = await createCopies(postgres.url);
    const template = copies.empty;
    await copies.rest();
    for (const [index, scenario] of chosen.entries()) {
      // Nobody stays connected while the server restarts.
      const own = await createCopies(postgres.url, template);
      const copy = await own.clone(template);
      await copy.rest();
      await own.rest();
      const databaseUrl = proxy.url(copy.name);
      const station = await createStation(databaseUrl);
      const readers = startReaders(databaseUrl);
      const wrong = await scenario.run(station, {
        random: randomOf(options.seed + index),
        databaseUrl,
        restartDatabase: async () => {
          proxy.setTarget(undefined);
          await postgres.close();
          await pause(300);
          postgres = await open();
          proxy.setTarget(postgres.url);
        },
      });
      const read = await readers.stop();
      await station.close();
      results.push({ name: scenario.name, wrong: [...wrong, ...read.wrong], looks: read.looks });
      progress(`crash ${scenario.name}: ${wrong.length + read.wrong.length} wrong, ${read.looks} looks`);
    }
  } finally {
    await proxy.close();
    await postgres.close();
    await rm(dirname(postgres.dataFolder), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}
