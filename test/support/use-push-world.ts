// What tests of pushes of logs stand on: one warehouse a file, and a server with an account and a folder a case.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { makePushWorld, type PushWorld } from './push-logs-in-process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface PushWorlds {
  /** Before the first case it is not there. */
  database(): TestDatabase;
  /** It ends with the case. */
  makeWorld(): Promise<PushWorld>;
}

/** More events than two uploads take. */
export const threeUploads = 12_000;

export function usePushWorld(): PushWorlds {
  let database: TestDatabase | undefined;
  let world: PushWorld | undefined;
  const made = () => {
    if (database === undefined) throw new Error('no warehouse yet');
    return database;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await world?.close();
    world = undefined;
  });
  afterAll(() => database?.drop());
  return {
    database: made,
    async makeWorld() {
      world = await makePushWorld(made());
      return world;
    },
  };
}

export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}
