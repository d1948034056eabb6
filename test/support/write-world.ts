// Writes of two accounts as they come about: accepted, refused, unknown, left, waiting. What they show is known.
import type { Config } from '../../src/config/config.ts';
import type { Executor } from '../../src/db/database.ts';
import { addSource, noCounts, planRange } from '../../src/writes/store/log-ranges.ts';
import { closeKind, settleWrite, startWrite, type WriteKind } from '../../src/writes/store/write-states.ts';

export interface WriteWorld {
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly planned: number;
  readonly questions: number;
  readonly measurement: number;
}

const hash = 'ab'.repeat(32);
const plannedAt = new Date('2026-04-03T10:00:00Z');

/** Makes the writes of account north, and one upload of account south that was accepted. */
export async function makeWrites(db: Executor, config: Config): Promise<WriteWorld> {
  const place = { device: null, inode: null, blockBytes: 10, blockHash: hash };
  const log = (account: string, name: string) => addSource(db, account, { name, ...place });
  const range = async (account: string, sourceId: number, fromByte: number) =>
    await planRange(
      db,
      { account, sourceId, job: undefined, at: plannedAt },
      {
        fromByte,
        toByte: fromByte + 4_000_000,
        tailHash: hash,
        bodyBytes: 1_500_000,
        lines: 1_200,
        counts: {
          ...noCounts,
          ...{ read: 2_000, sent: 1_200, unreadable: 3, too_old: 90, not_bots: 700, blank: 7 },
        },
        visits: [{ host: '', bot: 'GPTBot', day: '2026-04-02', status: 200, visits: 1_200 }],
      },
    );
  const end = async (
    write: { account: string; kind: WriteKind; id: number },
    status: 'accepted' | 'refused' | 'unknown',
    httpStatus?: number,
  ) => {
    const started = await startWrite(db, config, write);
    if (started.kind !== 'started') throw new Error(started.kind);
    const answer = httpStatus === undefined ? 'broke off' : '{"aceptados":1200}';
    await settleWrite(db, { ...write, attempt: started.attempt }, { status, httpStatus, answer });
    return write.id;
  };
  const upload = async (account: string, id: Promise<number>) =>
    ({ account, kind: 'logs', id: await id }) as const;
  const other = async (kind: WriteKind, amount: number, subject: string | null) =>
    (
      await db
        .insertInto('sync.write')
        .values({ account: 'north', kind, amount, takes: amount, subject, planned_at: plannedAt })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;

  const site = await log('north', 'access.log');
  const shop = await log('north', "shop's log.gz");
  const piped = await log('south', '-');
  await end(await upload('south', range('south', piped, 0)), 'accepted', 202);
  const accepted = await end(await upload('north', range('north', site, 0)), 'accepted', 202);
  const refused = await end(await upload('north', range('north', site, 4_000_000)), 'refused', 400);
  const unknown = await end(await upload('north', range('north', shop, 0)), 'unknown');
  const planned = await range('north', site, 8_000_000);
  const questions = await other('questions', 20, null);
  await end({ account: 'north', kind: 'questions', id: questions }, 'unknown', 502);
  const measurement = await other('measurement', 1, 'Clínica Norte');
  await end({ account: 'north', kind: 'measurement', id: measurement }, 'accepted', 201);
  await db
    .insertInto('sync.question')
    .values([
      { account: 'north', hash: Buffer.from('a'), text: '¿Quién es?', write_id: questions },
      { account: 'north', hash: Buffer.from('b'), text: '¿Dónde está?', planned_at: plannedAt },
      { account: 'north', hash: Buffer.from('c'), text: null, sent_at: plannedAt },
    ])
    .execute();
  const reason = 'answered 429: {"error":"quota"}';
  await closeKind(db, { account: 'north', kind: 'measurement', forMs: 3_600_000, reason });
  return { accepted, refused, unknown, planned, questions, measurement };
}
