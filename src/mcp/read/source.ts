// The warehouse that answers: opened at the first call, held until the end, and opened again after it was lost.
import type pg from 'pg';
import type { Executor } from '../../db/database.ts';
import { type KnownReadiness, knownReadiness } from '../../reporting/dashboard/read/read-overview.ts';
import type { Stream } from '../../streams/stream.ts';
import { ToolError } from '../form/answer.ts';
import { toolErrorOf } from './snapshot.ts';

export interface Warehouse {
  /** Connections of a role that reads bi alone. */
  readonly bi: pg.Pool;
  /** Connections of a role that reads api too, opened only for reads by route. */
  readonly api: () => Promise<pg.Pool>;
  /** Undefined: there is no more than what AIRANK_READER_URL reads. */
  readonly db: Executor | undefined;
  /** The address that query_bi connects to. Rejects with a ToolError if no role may be used for it. */
  readonly queryUrl: () => Promise<string>;
}

interface Held {
  readonly warehouse: Warehouse;
  close(): Promise<void>;
}

export interface WarehouseSource {
  /** @throws ToolError */
  use<Result>(work: (warehouse: Warehouse) => Promise<Result>): Promise<Result>;
  readonly readiness: (warehouse: Warehouse) => KnownReadiness;
  readonly streams: readonly Stream[];
  close(): Promise<void>;
}

/** @param open gives the warehouse to `work` and closes it when that has ended */
export function warehouseSource(
  open: (work: (warehouse: Warehouse) => Promise<void>) => Promise<void>,
  streams: readonly Stream[],
): WarehouseSource {
  let held: Promise<Held> | undefined;
  let readiness: KnownReadiness | undefined;
  const close = async () => {
    const before = held;
    held = undefined;
    readiness = undefined;
    await (await before?.catch(() => undefined))?.close();
  };
  return {
    streams,
    readiness: ({ db }) => (readiness ??= knownReadiness(db, () => undefined)),
    use: async (work) => {
      held ??= hold(open);
      const mine = held;
      try {
        return await work((await mine).warehouse);
      } catch (thrown) {
        const error = toolErrorOf(thrown);
        // The embedded Postgres may answer elsewhere, and what was not there may be there by now.
        if (held === mine && (error.code === 'unreachable' || (await isRejected(mine)))) await close();
        throw error;
      }
    },
    close,
  };
}

const isRejected = (held: Promise<Held>) =>
  held.then(
    () => false,
    () => true,
  );

async function hold(open: (work: (warehouse: Warehouse) => Promise<void>) => Promise<void>): Promise<Held> {
  return await new Promise<Held>((resolve, reject) => {
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const closed = open(async (warehouse) => {
      resolve({
        warehouse,
        close: async () => {
          end();
          await closed.catch(() => undefined);
        },
      });
      await ended;
    });
    closed.then(
      () => reject(new ToolError('unreachable', 'The warehouse was closed.', 'Ask again.')),
      reject,
    );
  });
}
