// Batches that end side by side share a refresh of the views, in one process and over several.
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { refreshInTurn } from '../../src/publish/views/refresh-in-turn.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
/** Pool that counts as another process, as far as locks can tell. */
let other: pg.Pool;

beforeEach(async () => {
  other = createPool({ connectionString: database.url, max: 4, applicationName: 'other' });
});
afterEach(() => other.end());

const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

/** A refresh that goes on until it is let go, and says that it has begun. */
function slowRefresh() {
  let begun = () => {};
  let letGo = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const refresh = async () => {
    begun();
    await isLetGo;
    return 'slow';
  };
  return { hasBegun, letGo, refresh };
}

test('all who ask while one works share one more refresh, in any process', async () => {
  const slow = slowRefresh();
  const first = refreshInTurn(database.pool, createDatabase(database.pool), slow.refresh, soon);
  await slow.hasBegun;
  let refreshes = 0;
  /** Callers that were told to wait. */
  const told = new Set<number>();
  const waiting = Array.from({ length: 12 }, (_, index) => {
    const pool = index % 2 === 0 ? database.pool : other;
    const refresh = async () => {
      refreshes += 1;
      return 'next';
    };
    return refreshInTurn(pool, createDatabase(pool), refresh, async () => {
      told.add(index);
      await soon();
    });
  });
  while (told.size < waiting.length) await soon();
  // Nobody shares the refresh at work, as it may have begun before their data was published.
  expect(refreshes).toBe(0);
  slow.letGo();
  expect(await first).toBe('slow');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['next']));
  expect(refreshes).toBe(1);
});

test('a failed refresh is not shared', async () => {
  const db = createDatabase(database.pool);
  const slow = slowRefresh();
  const failing = refreshInTurn(
    database.pool,
    db,
    () => slow.refresh().then(() => Promise.reject(new Error('no'))),
    soon,
  );
  await slow.hasBegun;
  const waiting = refreshInTurn(other, createDatabase(other), async () => 'own', soon);
  slow.letGo();
  await expect(failing).rejects.toThrow('no');
  expect(await waiting).toBe('own');
});

test('a later one refreshes again, and a stop ends the wait', async () => {
  const db = createDatabase(database.pool);
  const refresh = async () => 'again';
  expect(await refreshInTurn(database.pool, db, async () => 'first', soon)).toBe('first');
  expect(await refreshInTurn(database.pool, db, refresh, soon)).toBe('again');
  const slow = slowRefresh();
  const first = refreshInTurn(database.pool, db, slow.refresh, soon);
  await slow.hasBegun;
  const stopped = refreshInTurn(database.pool, db, refresh, () => Promise.reject(new Error('stopped')));
  await expect(stopped).rejects.toThrow('stopped');
  slow.letGo();
  await first;
});
