// What is kept of streams beside the tables of their sources, because it comes from more than one version.
import type { Executor } from '../database.ts';
import { actionStreams, actionTables, updateActions } from './action-kept.ts';
import { rankStreams, rankTables, updateRankPoints } from './rank-kept.ts';

export interface DerivedKept {
  /** What it is read from: these are kept together. */
  readonly streams: readonly string[];
  readonly tables: readonly string[];
  /**
   * Called before the tables of the sources are brought up to date, with the scopes in pg_temp.kept_scope; what
   * it returns, after they are and their scopes are marked as kept.
   */
  readonly update: (tx: Executor) => Promise<() => Promise<void>>;
}

const all: readonly DerivedKept[] = [
  { streams: rankStreams, tables: rankTables, update: updateRankPoints },
  { streams: actionStreams, tables: actionTables, update: updateActions },
];

export function derivedFrom(streams: readonly string[]): readonly DerivedKept[] {
  return all.filter((one) => one.streams.some((stream) => streams.includes(stream)));
}
