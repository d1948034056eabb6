// A range of a log that is sent again with another filter, so that it becomes many uploads.
import { describe, expect, it } from 'vitest';
import {
  accepted,
  answers,
  botLines,
  idsIn,
  numbers,
  type PushWorld,
  threeUploads,
  usePushWorld,
} from '../support/push-logs-in-process.ts';

const { database, makeWorld } = usePushWorld();
/** One line of a bot, the others of people: a single range. */
const log = botLines(1) + botLines(threeUploads - 1, 1).replaceAll('GPTBot', 'Firefox');
const again = { unknown: 'resend', allAgents: true } as const;

/** After a push whose only upload may have arrived. */
async function makeUnknown(): Promise<PushWorld & { readonly path: string }> {
  const world = await makeWorld();
  const path = world.write('access.log', log);
  world.plan(answers(503));
  await world.push([path]);
  return { ...world, path };
}

async function rangesOf(account: unknown) {
  const { rows } = await database().pool.query<{ status: string; from_byte: number; to_byte: number }>(
    `select w.status, w.from_byte::int, w.to_byte::int from sync.write w
     where w.account = (select account from sync.write_source where id = $1) order by w.from_byte`,
    [account],
  );
  return rows;
}

describe('a range that becomes many uploads', () => {
  it('is sent piece by piece, each noted with the rest of the range before it goes', async () => {
    const { push, plan, path, bodies } = await makeUnknown();
    const seen: Promise<{ rows: unknown[] }>[] = [];
    plan((response, request) => {
      seen.push(
        database().pool.query(`select status from sync.write where status in ('planned', 'sending')`),
      );
      accepted(response, request);
    });
    const { sources } = await push([path], again);
    expect(sources).toMatchObject([{ uploads: 3, acceptedLines: threeUploads, unknown: [] }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(threeUploads));
    const [first] = await Promise.all(seen);
    expect(first?.rows).toEqual(expect.arrayContaining([{ status: 'sending' }, { status: 'planned' }]));
    expect(first?.rows).toHaveLength(2);
    const ranges = await rangesOf(sources[0]?.sourceId);
    expect(ranges.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(ranges.map((range) => range.from_byte)).toEqual([
      0,
      ...ranges.slice(0, -1).map((one) => one.to_byte),
    ]);
    expect(ranges.at(-1)?.to_byte).toBe(log.length);
  });

  it('goes on where a push ended in the middle of it', async () => {
    const { push, plan, path, bodies } = await makeUnknown();
    plan(accepted, answers(401));
    expect((await push([path], again)).failure).toBeDefined();
    const { sources } = await push([path], { allAgents: true });
    expect(sources).toMatchObject([{ uploads: 2, acceptedLines: threeUploads - 5_000, unknown: [] }]);
    expect(idsIn([...bodies.slice(1, 2), ...bodies.slice(3)])).toEqual(numbers(threeUploads));
    expect(await push([path], { allAgents: true })).toMatchObject({ sources: [{ uploads: 0 }] });
  });

  it('is sent no further once somebody leaves the rest of it', async () => {
    const { push, plan, path, bodies } = await makeUnknown();
    plan((response, request) => {
      void database()
        .pool.query(`update sync.write set skipped_at = now() where status = 'planned'`)
        .then(() => accepted(response, request));
    });
    const { sources, failure } = await push([path], again);
    expect(failure).toBeUndefined();
    expect(sources).toMatchObject([{ uploads: 1, acceptedLines: 5_000 }]);
    expect((await push([path], again)).sources).toMatchObject([{ uploads: 0 }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(5_000));
  });

  it('is sent as far as it is there, where a pipe ends before, and the rest is named', async () => {
    const { push, path, bodies } = await makeUnknown();
    const half = log.slice(0, log.indexOf('id=9000'));
    const { sources } = await push(['-'], { ...again, input: half });
    expect(sources).toMatchObject([
      { uploads: 1, refused: [{ why: expect.stringMatching(/^the log has only/) }] },
    ]);
    expect((await push([path], { allAgents: true })).sources).toMatchObject([{ uploads: 2, refused: [] }]);
    expect(idsIn(bodies.slice(1))).toEqual(numbers(threeUploads));
  });
});
