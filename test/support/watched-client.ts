// A database in which rules watch one client since a first quiet day, for tests that change what happens after it.
import { type BrokenRule, type CheckDeps, checkAccount } from '../../src/alerts/check-account.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { type AlertDay, fivePoints, publishDay } from './alert-world.ts';
import { createFilledDatabase, type TestDatabase } from './test-database.ts';

export interface WatchedClient {
  readonly database: TestDatabase;
  readonly db: Executor;
  /** Publishes a day after the first one; all as before, unless told. */
  publish(after: number, more?: Partial<AlertDay>): Promise<void>;
  /** How many alerts are new, and what could not be judged. */
  check(config?: CheckDeps['alerts']): Promise<{ raised: number; broken: readonly BrokenRule[] }>;
}

export const defaultAlerts = fivePoints;

const first = '2026-03-10' as RunDate;
export const day = (after: number) => addDays(first, after);

/** 60 on each of 42 days before the first one and until a day, or as given. */
export const ranks = (upTo: number, scores: Readonly<Record<number, number>> = {}) =>
  Array.from({ length: 42 + upTo }, (_, index) => [day(index - 41), scores[index - 41] ?? 60] as const);

async function publishOn(db: Executor, after: number, more: Partial<AlertDay>): Promise<void> {
  const ownPages = ['https://siete.example/a', 'https://siete.example/b'];
  await publishDay(db, { runDate: day(after), ranks: ranks(after), ownPages, ...more });
}

/** @param firstDay in place of what the quiet first day shows */
export async function watchClient(firstDay: Partial<AlertDay> = {}): Promise<WatchedClient> {
  const database = await createFilledDatabase(JSON.stringify(firstDay), [0], async ({ db }) => {
    await publishOn(db, 0, firstDay);
    await refreshMapping(db);
  });
  const { db } = database;
  return {
    database,
    db,
    publish: (after, more = {}) => publishOn(db, after, more),
    check: async (alerts = defaultAlerts) => {
      const deps = { db, pool: database.pool, alerts, language: 'en' } as const;
      const { raised, broken } = await checkAccount(deps, 'default', []);
      return { raised: raised.length, broken };
    },
  };
}
