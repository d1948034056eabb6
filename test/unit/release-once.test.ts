import pg from 'pg';
import { expect, test } from 'vitest';
import { releaseOnce } from '../../src/warehouse/queue/release-once.ts';

type Connected = Parameters<pg.Pool['connect']>[0];

test('lets a connection be given back twice, and tells the pool once', () => {
  const told: unknown[] = [];
  const pool = new pg.Pool({ max: 3 });
  pool.connect = ((given: Connected) =>
    given(undefined, undefined, (reason?: unknown) => {
      if (told.length > 0) throw new Error('Released twice');
      told.push(reason);
    })) as typeof pool.connect;
  const wrapped = releaseOnce(pool);
  wrapped.connect((_error, _client, done) => {
    done('broken');
    done();
  });
  expect(told).toEqual(['broken']);
  expect(wrapped.options.max).toBe(3);
  expect(wrapped).toBeInstanceOf(pg.Pool);
});
