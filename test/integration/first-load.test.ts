import { describe, expect, it } from 'vitest';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const stored = (stream: string) =>
  database.lines(
    `select record_key, payload::text from snapshot.record where stream = $1 and until = 'infinity' order by 1`,
    stream,
  );
const publish = (stream: string, date: number, records: readonly unknown[], more = {}) =>
  publishRecords(database.db, { stream, runDate: `2026-01-0${date}`, records, ...more });

describe('the first publish of a scope', () => {
  it('is inserted at once where every record has a key of its own', async () => {
    const records = [
      { id: 2, a: 'x' },
      { id: 1, a: 'y' },
    ];
    const all = { records: 2, inserted: 2, vanished: 0, unchanged: 0, keyConflicts: 0 };
    expect(await publish('f1', 1, records)).toMatchObject(all);
    expect(await stored('f1')).toEqual(['1 {"a": "y", "id": 1}', '2 {"a": "x", "id": 2}']);
    expect(await publish('f1', 2, records)).toMatchObject({ records: 2, inserted: 0, unchanged: 2 });
  });

  it.each<[string, object[], number]>([
    ['shared', [{ id: 1 }, { id: 1, b: 2 }], 2],
    ['missing', [{ id: 1 }, { b: 2 }], 1],
    ['no scalar', [{ id: 1 }, { id: {} }], 1],
  ])('goes record by record where a key is %s, and loses none', async (why, records, keyConflicts) => {
    const stream = `f2_${why.replace(' ', '_')}`;
    expect(await publish(stream, 1, records)).toMatchObject({ records: 2, inserted: 2, keyConflicts });
    expect(await stored(stream)).toHaveLength(2);
  });

  it('stores a body that is one record under the key of its page, and loses none of several', async () => {
    const whole = { pageKey: 'whole' };
    expect(await publish('f6', 1, [{ id: 1 }], whole)).toMatchObject({ records: 1, inserted: 1 });
    expect(await stored('f6')).toEqual(['whole {"id": 1}']);
    expect(await publish('f6', 2, [{ id: 1 }], whole)).toMatchObject({ records: 1, unchanged: 1 });
    expect(await publish('f7', 1, [{ a: 'x' }, { a: 'y' }], whole)).toMatchObject({ inserted: 2 });
    expect(await stored('f7')).toHaveLength(2);
  });

  it('is learned from the pages that showed new types, and later ones from what they changed', async () => {
    const learned = `select count(*) from sync.field_observation where stream = 'f4' and path = '{a}'`;
    for (const [date, hasNewTypes] of [false, false, true].entries()) {
      await publish('f4', date + 1, [{ id: 1, a: `x${date}` }, { id: 2 }], { hasNewTypes });
      expect(await database.lines(learned)).toEqual([hasNewTypes ? '1' : '0']);
    }
  });

  it('is not a first load when there are open versions without a slice', async () => {
    await publish('f5', 1, [{ id: 1 }]);
    await database.rows(`delete from sync.slice where stream = 'f5'`);
    expect(await publish('f5', 2, [{ id: 2 }])).toMatchObject({ inserted: 1, vanished: 1 });
    expect(await stored('f5')).toEqual(['2 {"id": 2}']);
  });

  it('is the first again after everything vanished', async () => {
    await publish('f3', 1, [{ id: 1 }]);
    await publish('f3', 2, []);
    const back = { records: 1, inserted: 1, changed: 0, vanished: 0 };
    expect(await publish('f3', 3, [{ id: 1 }])).toMatchObject(back);
    const versions = `select run_date, until from snapshot.record where stream = 'f3' order by run_date`;
    expect(await database.lines(versions)).toEqual(['2026-01-01 2026-01-02', '2026-01-03 infinity']);
  });
});
