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
});
