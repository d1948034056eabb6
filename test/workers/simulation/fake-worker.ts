// A worker process as the warehouse sees it, one statement at a time: between any two it may die, be cut off or freeze.
// It is as simple-minded as can be: whatever it lost, it goes on until the warehouse refuses.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { parseRunDate, type RunDate } from '../../../src/core/run-date.ts';
import { createDatabase } from '../../../src/db/database.ts';
import { createPool } from '../../../src/db/pool.ts';
import { tryLock } from '../../../src/db/session-lock.ts';
import { type RegisteredWorker, registerWorker } from '../../../src/db/workers.ts';
import { enqueueNext, putBack, type QueuePayload, turnOf } from '../../../src/queue/enqueue.ts';
import { readQueuedBatch } from '../../../src/queue/queued-batches.ts';
import { storePage } from '../../../src/store/pages/pages.ts';
import { BusyAccountError, type Run, startRun } from '../../../src/store/slices/runs.ts';
import { claimSlice, endSlice, planSlices } from '../../../src/store/slices/slices.ts';
import { plainPage } from '../../support/publish-records.ts';
import type { EngineStatements, TakenJob } from './engine-statements.ts';

export interface FakeWorker {
  readonly name: string;
  readonly id: number;
  readonly application: string;
  /** Goes on by one statement. Returns what it did, where that was a write that the warehouse took. */
  step(): Promise<string | undefined>;
  /** It has a job in its hands. */
  isBusy(): boolean;
  close(): Promise<void>;
}

const pages = 3;
const stream = 'prompts';

async function* takeTurn(
  pool: pg.Pool,
  workerId: number,
  job: TakenJob,
  random: () => number,
): AsyncGenerator<string> {
  const payload = job.payload as QueuePayload;
  const turn = await tryLock(pool, turnOf('sync', payload.account));
  yield '';
  if (turn === undefined) return await putBack(createDatabase(pool), 'sync', job.id, payload);
  try {
    yield* workOff(pool, workerId, job, random);
  } catch (error) {
    if (!(error instanceof BusyAccountError)) throw error;
    await putBack(createDatabase(pool), 'sync', job.id, payload);
  } finally {
    await turn.release();
  }
}

/** One job from the queue to its end: each call of `next` is one statement. */
async function* workOff(
  pool: pg.Pool,
  workerId: number,
  { id, payload: given }: TakenJob,
  random: () => number,
): AsyncGenerator<string> {
  const { account, batch, attempt, ...payload } = given as QueuePayload;
  const db = createDatabase(pool);
  const known = await readQueuedBatch(db, id, { account, batch, attempt, ...payload });
  yield '';
  if (known === undefined) return;
  const runDate: RunDate | undefined = parseRunDate('2026-03-02');
  if (runDate === undefined) throw new RangeError('no date');
  const begun = { batchId: batch, account, workerId, attempt, isQueued: true, runDate, plan: null };
  const run: Run = await startRun(db, begun);
  yield `began run ${run.id} of ${account}`;
  const [slice] = await planSlices(db, runDate, [{ stream, account, clientId: `of batch ${batch}` }], 0);
  if (slice === undefined) throw new RangeError('no slice');
  const claim = { ...slice, runId: run.id };
  yield '';
  if (await claimSlice(db, { ...claim, walk: 'full', again: false })) {
    yield `claimed the slice of ${account} for run ${run.id}`;
    const { rows } = await pool.query<{ pages: number }>(
      'select coalesce(max(page_no), 0) as pages from sync.page where account = $1 and slice_id = $2',
      [account, slice.sliceId],
    );
    for (let pageNo = Number(rows[0]?.pages ?? 0) + 1; pageNo <= pages; pageNo += 1) {
      await storePage(db, {
        ...claim,
        ...plainPage,
        ...{ pageNo, cursor: `${pageNo}`, nextCursor: pageNo === pages ? undefined : `${pageNo + 1}` },
        ...{ listKey: 'preguntas', text: '{"preguntas":[]}', records: 0, hasNewTypes: false },
      });
      yield `stored page ${pageNo} of ${account} for run ${run.id}`;
    }
    // Stands for the publish.
    await endSlice(db, claim, { status: 'unavailable', error: undefined });
    yield '';
  }
  const isDeferred = attempt === 1 && random() < 0.2;
  await db.transaction().execute(async (tx) => {
    await run.finish(isDeferred ? 'deferred' : 'complete', null, tx);
    if (isDeferred)
      await enqueueNext(tx, { account, batch, attempt, ...payload }, { at: undefined, spreadMs: 0 });
  });
  yield `finished run ${run.id} of ${account}`;
}

export async function startFakeWorker(
  databaseUrl: string,
  engine: EngineStatements,
  name: string,
  random: () => number,
): Promise<FakeWorker> {
  const application = `sim-${name}-${randomBytes(3).toString('hex')}`;
  const pool = createPool({ connectionString: databaseUrl, max: 3, applicationName: application });
  const lockedBy = `pool-${application}`;
  const facts = { application, kinds: ['sync'], accountsAtOnce: 1 };
  const registered: RegisteredWorker = await registerWorker(pool, createDatabase(pool), facts);
  await registered.work(lockedBy);
  let work:
    | { readonly job: TakenJob; readonly steps: AsyncGenerator<string>; end?: 'complete' | 'fail' }
    | undefined;
  return {
    name,
    id: registered.id,
    application,
    isBusy: () => work !== undefined,
    async step() {
      if (work === undefined) {
        const job = await engine.take(pool, lockedBy);
        if (job !== undefined) work = { job, steps: takeTurn(pool, registered.id, job, random) };
        return undefined;
      }
      if (work.end === undefined) {
        const next = await work.steps.next().catch(() => undefined);
        if (next?.done === false) return next.value === '' ? undefined : next.value;
        work.end = next === undefined ? 'fail' : 'complete';
        return undefined;
      }
      // Without a connection it is tried again, as the engine does.
      await engine[work.end](pool, lockedBy, work.job);
      work = undefined;
      return undefined;
    },
    close: async () => {
      // A pool waits for the connection that holds the locks.
      await work?.steps.return(undefined).catch(() => undefined);
      await registered.release();
      await pool.end();
    },
  };
}
