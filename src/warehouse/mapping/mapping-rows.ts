// What is mapped, as sync.mapping has it.
import type { Executor } from '../connection/database.ts';
import type { LogicalSource } from '../logical/logical-source.ts';
import type { MappingRow } from './mapped.ts';

/** @param only of this source */
export async function readMapping(db: Executor, only?: LogicalSource): Promise<MappingRow[]> {
  const all = db
    .selectFrom('sync.mapping')
    .select(['source', 'field', 'path', 'origin', 'score', 'filled', 'read']);
  return await (only === undefined ? all : all.where('source', '=', only.name)).execute();
}
