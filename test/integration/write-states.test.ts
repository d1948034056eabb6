import { describe, expect, it } from 'vitest';
import type { Poster } from '../../src/api/post.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { sendWrite } from '../../src/writes/send.ts';
import {
  giveUpSending,
  settleWrite,
  skipWrite,
  startWrite,
  type WriteKind,
} from '../../src/writes/store/write-states.ts';
import { unset } from '../support/config-fixtures.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const config = unset;

async function plan(account: string, kind: WriteKind = 'logs', takes = 1) {
  const write = { account, kind, takes };
  return {
    ...write,
    ...(await database.db.insertInto('sync.write').values(write).returning('id').executeTakeFirstOrThrow()),
  };
}

const statusOf = async ({ account, id }: { account: string; id: number }) =>
  (await database.pool.query('select * from sync.write where (account, id) = ($1, $2)', [account, id]))
    .rows[0];

async function send(write: { account: string; kind: WriteKind; id: number }) {
  const started = await startWrite(database.db, config, write);
  if (started.kind !== 'started') throw new Error(started.kind);
  return { ...write, attempt: started.attempt };
}

const accepted = { status: 'accepted', httpStatus: 202, answer: '{}' } as const;

describe('the book of writes', () => {
  it('starts a write once, however many processes try', async () => {
    const write = await plan('once');
    const started = await Promise.all(
      Array.from({ length: 8 }, () => startWrite(database.db, config, write)),
    );
    expect(started.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    expect(started.filter(({ kind }) => kind === 'gone')).toHaveLength(7);
  });

  it('lets 20 uploads through in any 60 minutes, and says when the next may go', async () => {
    for (let upload = 0; upload < 20; upload += 1)
      await settleWrite(database.db, await send(await plan('hour')), accepted);
    const next = await plan('hour');
    const started = await startWrite(database.db, config, next);
    expect(started).toMatchObject({ kind: 'wait' });
    const inMs = started.kind === 'wait' ? started.until.getTime() - Date.now() : 0;
    expect(inMs).toBeGreaterThan(3_590_000);
    expect(inMs).toBeLessThan(3_606_000);
    await database.pool.query(
      `update sync.budget_write set at = at - interval '61 minutes'
       where account = 'hour' and id = (select min(id) from sync.budget_write where account = 'hour')`,
    );
    expect(await startWrite(database.db, config, next)).toMatchObject({ kind: 'started' });
    expect(await startWrite(database.db, config, await plan('hour'))).toMatchObject({ kind: 'wait' });
  });

  it('calls unknown what a process that is gone was sending, and believes its answer if it comes', async () => {
    const write = await send(await plan('gone'));
    expect(await giveUpSending(database.db, 'gone', 'logs')).toBe(1);
    expect(await statusOf(write)).toMatchObject({ status: 'unknown' });
    expect(await settleWrite(database.db, write, accepted)).toBe(true);
    expect(await statusOf(write)).toMatchObject({ status: 'accepted', http_status: 202 });
    expect(await startWrite(database.db, config, write)).toMatchObject({ kind: 'gone' });
  });

  it('leaves for good what is open, once, and never what was accepted, however late', async () => {
    const late = await send(await plan('left'));
    await giveUpSending(database.db, 'left', 'logs');
    await settleWrite(database.db, late, accepted);
    expect(await skipWrite(database.db, late)).toBe(false);
    const later = await send(await plan('left'));
    await giveUpSending(database.db, 'left', 'logs');
    expect(await skipWrite(database.db, later)).toBe(true);
    await settleWrite(database.db, later, accepted);
    const { rows } = await database.pool.query(
      `select status, skipped_at from sync.write where account = 'left'`,
    );
    expect(rows).toEqual(Array(2).fill({ status: 'accepted', skipped_at: null }));
    const waiting = await plan('left');
    expect(await skipWrite(database.db, waiting, ['refused'])).toBe(false);
    expect(await skipWrite(database.db, waiting)).toBe(true);
    expect(await skipWrite(database.db, waiting)).toBe(false);
    expect(await startWrite(database.db, config, waiting)).toMatchObject({ kind: 'gone' });
  });

  it('does not believe the answer of an attempt that was followed by another', async () => {
    const first = await send(await plan('late'));
    await giveUpSending(database.db, 'late', 'logs');
    const second = await send(first);
    expect(await settleWrite(database.db, first, accepted)).toBe(false);
    expect(await statusOf(second)).toMatchObject({ status: 'sending', attempts: 2 });
  });

  it('notes what the service answered, also when the database was away just then', async () => {
    const write = await plan('away');
    const proxy = await startDatabaseProxy(database.url);
    const url = proxy.url(new URL(database.url).pathname.slice(1));
    const pool = createPool({ connectionString: url, max: 2, applicationName: 'airank-test' });
    const poster: Poster = {
      post: async (_, { before }) => {
        await before();
        proxy.setTarget(undefined);
        return { kind: 'accepted', status: 202, answer: '{}', json: {} };
      },
      close: async () => undefined,
    };
    // Back after the first pause.
    const clock = { now: () => Date.now(), sleep: async () => proxy.setTarget(database.url) };
    const { signal } = new AbortController();
    try {
      const deps = { config, poster, clock, signal, purpose: 'people', db: createDatabase(pool) } as const;
      await sendWrite(deps, { ...write, type: 'text/plain', bytes: Buffer.from('a line\n') });
    } finally {
      await pool.end();
      await proxy.close();
    }
    expect(await statusOf(write)).toMatchObject({ status: 'accepted', http_status: 202 });
  });
});
