// Answers with a page of rows, how fresh they are and why there are none, as of one moment. A cursor repeats
// the question.

import type pg from 'pg';
import { columnsFromStreams, type Readiness } from '../../status/view-readiness.ts';
import { type Table, ToolError } from '../form/answer.ts';
import { readAsOf } from './as-of.ts';
import { type Bound, findWhose, type Whose } from './clients.ts';
import { type Position, readPage, type Source, writeCursor } from './page.ts';
import { inSnapshot } from './snapshot.ts';
import type { WarehouseSource } from './source.ts';

/** Arguments of tools; each tool takes some of them. */
export interface Asked {
  readonly client?: string | undefined;
  readonly since?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly date?: string | undefined;
  readonly search?: string | undefined;
  readonly view?: string | undefined;
  readonly route?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly sql?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The service's own words for client and date. */
  readonly cliente?: string | undefined;
  readonly fecha?: string | undefined;
}

interface Reading {
  readonly source: Source;
  /** Undefined: the present. */
  readonly runDate?: string;
  /** Arguments for later pages, with what the question left open now fixed. */
  readonly settled?: Asked;
  /** The view whose lack of rows is explained. */
  readonly view?: string;
  readonly remark?: string;
}

export type Read = (session: pg.PoolClient, whose: Whose, asked: Asked) => Promise<Reading>;

const usualLimit = 50;

interface WantedPage {
  readonly tool: string;
  readonly pool: 'bi' | 'api';
  readonly asked: Asked;
  readonly position: Position | undefined;
  readonly bound: Bound;
}

export async function answerPage(
  source: WarehouseSource,
  { tool, pool, asked, position, bound }: WantedPage,
  read: Read,
): Promise<Table> {
  return await source.use(async (warehouse) => {
    const connections = pool === 'api' ? await warehouse.api() : warehouse.bi;
    const { table, view } = await inSnapshot(connections, async (session) => {
      const whose = await findWhose(session, bound, asked.client);
      const reading = await read(session, whose, asked);
      const page = await readPage(session, reading.source, { limit: asked.limit ?? usualLimit, position });
      const isEmpty = position === undefined && page.rows.length === 0;
      return {
        view: isEmpty ? reading.view : undefined,
        table: {
          columns: page.columns,
          rows: page.rows,
          as_of: await readAsOf(session, whose, reading.runDate),
          truncated: page.position !== undefined || page.cut > 0,
          next_cursor: writeCursor([tool, reading.settled ?? asked], page.position),
          remark:
            page.cut > 0
              ? `${page.cut} cells are cut.`
              : isEmpty
                ? await ofAccount(session, whose, reading)
                : reading.remark,
        },
      };
    });
    if (view !== undefined) expectReady(await source.readiness(warehouse).wait(), view);
    return table;
  });
}

/** Adds a remark if a client has no rows: rows that name no client belong to the whole account. */
async function ofAccount(session: pg.PoolClient, { one }: Whose, { view, remark }: Reading) {
  if (one === undefined || one.clientId === '' || view === undefined) return remark;
  const { rows } = await session.query(`select from ${view} where account = $1 and client_id = '' limit 1`, [
    one.account,
  ]);
  if (rows.length === 0) return remark;
  return `${view} has no rows of this client: its records do not say which client they are about, so they belong to the whole account.`;
}

/**
 * @throws ToolError if the view is empty for a reason; if only this question has no rows, that is the answer
 */
export function expectReady(readiness: Readiness | undefined, view: string): void {
  const state = readiness?.lacking.find((one) => one.view === view);
  if (state === undefined || state.has_rows) return;
  const { lacks } = state;
  const waits = lacks.filter(({ why }) => why !== 'not_found' && why !== 'absent');
  const isRead = columnsFromStreams([view]).some((one) => lacks.every(({ column }) => column !== one.column));
  // Fields that nothing looks like are the reason only where there is no other, and nothing else of the view is read.
  const blames = waits.length === 0 && !isRead;
  const unfound = lacks.filter(({ why }) => why === 'not_found' || (why === 'absent' && blames));
  const fields = [...new Set(unfound.map(({ field }) => field))];
  if (fields.length > 0) {
    throw new ToolError(
      'not_mapped',
      `${view} is empty: its fields are not found in the data (${fields.slice(0, 5).join(', ')}).`,
      'Run airank map to say where they are.',
    );
  }
  const reasons = [...new Set(waits.map(({ stream, why }) => `${stream}: ${why.replaceAll('_', ' ')}`))];
  throw new ToolError(
    'no_data',
    `${view} is empty${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}.`,
    'Ask freshness for the state of each stream.',
  );
}
