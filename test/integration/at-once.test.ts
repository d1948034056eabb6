// Statements that are sent without a wait for the answers to those before.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ahead, atOnce, createDatabase, type Executor, eachWithin } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

/** @param max connections */
async function withPool<Result>(max: number, work: (db: Executor) => Promise<Result>): Promise<Result> {
  const pool = createPool({ connectionString: database.url, max, applicationName: 'at-once' });
  try {
    return await work(createDatabase(pool));
  } finally {
    await pool.end();
  }
}

const one = sql<{ one: number }>`select 1 as one`;
const broken = sql`select 1 / 0`;
const slow = (ms: number) => sql<{ one: number }>`select 1 as one from pg_sleep(${ms / 1_000})`;

test('one that fails leaves those beside it alone, and the connection as good as it was', async () => {
  await withPool(1, async (db) => {
    const found = await atOnce(db, (session) =>
      Promise.allSettled([one.execute(session), broken.execute(session), one.execute(session)]),
    );
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    // The one that fails ends the work, while another is not answered yet.
    await expect(
      atOnce(db, (session) => Promise.all([broken.execute(session), slow(100).execute(session)])),
    ).rejects.toThrow('division by zero');
    await db.transaction().execute(async (tx) => {
      expect((await one.execute(tx)).rows).toEqual([{ one: 1 }]);
    });
  });
});

test('what is asked at once within another takes no second connection', async () => {
  await withPool(1, async (db) => {
    const pids = await atOnce(db, (outer) =>
      Promise.all([
        sql`select pg_backend_pid() as pid`.execute(outer),
        atOnce(outer, (inner) => sql`select pg_backend_pid() as pid`.execute(inner)),
      ]),
    );
    expect(pids[0].rows).toEqual(pids[1].rows);
  });
});

test('what goes on after the work ended is refused: others have the connection', async () => {
  let late: Executor | undefined;
  await withPool(1, async (db) => {
    await atOnce(db, async (session) => {
      late = session;
    });
    await expect(one.execute(late ?? db)).rejects.toThrow('given back');
  });
});

test('each has its own time, and what is asked meanwhile has no limit', async () => {
  await withPool(1, async (db) => {
    const [before, limited, after] = await atOnce(db, (session) =>
      Promise.all([
        slow(400).execute(session),
        eachWithin(session, 200, [one, slow(5_000), one]),
        slow(400).execute(session),
      ]),
    );
    expect(limited).toEqual([[{ one: 1 }], undefined, [{ one: 1 }]]);
    expect([before.rows, after.rows]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await expect(eachWithin(db, 200, [one, broken])).rejects.toThrow('division by zero');
    expect((await sql`show statement_timeout`.execute(db)).rows).toEqual([{ statement_timeout: '0' }]);
  });
});

test('a connection that is lost fails all that was asked', async () => {
  await withPool(2, async (db) => {
    const work = atOnce(db, async (session) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session);
      const answers = Promise.allSettled([slow(20_000).execute(session), one.execute(session)]);
      await sql`select pg_terminate_backend(${rows[0]?.pid}::integer)`.execute(db);
      return await answers;
    });
    expect((await work).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await one.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});

test('what is sent ahead is waited for by the next one, and fails it', async () => {
  await withPool(1, async (db) => {
    await sql`create table sent (one integer)`.execute(db);
    const insert = (what: string) => sql`insert into sent values (${sql.raw(what)}) ${ahead}`;
    await db.transaction().execute(async (tx) => {
      await insert('1').execute(tx);
      expect((await sql`select one from sent`.execute(tx)).rows).toEqual([{ one: 1 }]);
      await insert('2').execute(tx);
    });
    const failed = db.transaction().execute(async (tx) => {
      await insert('3').execute(tx);
      await insert('1 / 0').execute(tx);
      await insert('4').execute(tx);
    });
    await expect(failed).rejects.toThrow('division by zero');
    const left = db.transaction().execute(async (tx) => {
      await insert('1 / 0').execute(tx);
      throw new Error('left early');
    });
    await expect(left).rejects.toThrow('left early');
    await expect(insert('1 / 0').execute(db)).rejects.toThrow('division by zero');
    expect((await sql`select one from sent order by one`.execute(db)).rows).toEqual([{ one: 1 }, { one: 2 }]);
  });
});

test('a connection that ends takes what was sent ahead back', async () => {
  await withPool(2, async (db) => {
    await sql`create table begun (one integer)`.execute(db);
    const ended = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`insert into begun values (1) ${ahead}`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      await sql`select pg_sleep(0.1)`.execute(db);
    });
    await expect(ended).rejects.toThrow();
    expect((await sql`select one from begun`.execute(db)).rows).toEqual([]);
  });
});
