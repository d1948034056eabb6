// Reads what is known of a slice before its walk, with one statement: a slice of a single record spends most of its
// time between Node and Postgres.
import { type RawBuilder, sql } from 'kysely';
import { type Executor, listOf, prepared } from '../../db/database.ts';
import { type Checkpoint, checkpointOf, type StoredPage, storedPages } from '../pages/pages.ts';
import { type FixedKeys, fixedKeysOf, type StreamKeys, streamKeys } from '../pages/record-keys.ts';
import type { PlannedSlice } from '../slices/slices.ts';
import { type HistoryRow, historyOf, type ScopeHistory, scopeHistory } from './scope-history.ts';

export interface KnownSlice<Place> {
  readonly history: ScopeHistory;
  readonly checkpoint: Checkpoint;
  readonly keys: ReadonlyMap<string, FixedKeys>;
  readonly clientPlaces: readonly Place[];
}

interface Question<Place> {
  readonly runDate: string;
  readonly samples: number;
  readonly clientPlaces: RawBuilder<Place>;
}

export async function readKnown<Place>(
  db: Executor,
  slice: PlannedSlice,
  { runDate, samples, clientPlaces }: Question<Place>,
): Promise<KnownSlice<Place>> {
  const { rows } = await sql<{
    history: readonly HistoryRow[];
    pages: readonly StoredPage[];
    keys: readonly StreamKeys[];
    places: readonly Place[];
  }>`${prepared}
    select ${listOf(scopeHistory(slice, runDate, samples))} as history, ${listOf(storedPages(slice))} as pages,
      ${listOf(streamKeys(slice.account))} as keys, ${listOf(clientPlaces)} as places`.execute(db);
  const [row] = rows;
  return {
    history: historyOf(row?.history[0], runDate),
    checkpoint: checkpointOf(row?.pages ?? []),
    keys: fixedKeysOf(row?.keys ?? []),
    clientPlaces: row?.places ?? [],
  };
}
