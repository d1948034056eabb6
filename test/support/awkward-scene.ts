// The awkward server, a warehouse and a place for commands, for tests of whole syncs.
import { afterAll } from 'vitest';
import type { Limits } from '../../src/config/config.ts';
import { createWorkplace, settingsFor, type Workplace } from './awkward-cli.ts';
import { type AwkwardServer, startAwkwardServer } from './awkward-server.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface Scene {
  readonly server: AwkwardServer;
  readonly database: TestDatabase;
  readonly place: Workplace;
}

/** Makes scenes that end with the file; `run` stays in this process. */
export function useScenes(): (options?: { readonly limits?: Partial<Limits> }) => Promise<Scene> {
  const scenes: Scene[] = [];
  afterAll(async () => {
    await Promise.all(scenes.map(({ place }) => place.remove()));
    await Promise.all(scenes.map(({ server }) => server.close()));
    await Promise.all(scenes.map(({ database }) => database.drop()));
  });
  return async ({ limits = {} } = {}) => {
    const [server, database] = await Promise.all([startAwkwardServer(), createTestDatabase()]);
    const scene = {
      server,
      database,
      place: await createWorkplace(settingsFor(server, database.url), limits),
    };
    scenes.push(scene);
    return scene;
  };
}
