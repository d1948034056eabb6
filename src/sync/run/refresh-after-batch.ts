// After a batch published: the views learn which fields are new in the data. Never fails a batch.
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { findCodeChanges, installFunctions, installViews } from '../../db/code/install-code.ts';
import type { Executor } from '../../db/database.ts';
import { refreshInTurn } from '../../publish/views/refresh-in-turn.ts';
import { refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';
import { noteKeyConflicts } from '../../store/fields/learn-fields.ts';
import { pathText } from '../../store/fields/names.ts';
import type { BatchSummary } from './summary.ts';
import type { SyncDeps } from './sync-options.ts';

type SeenInViews = Pick<BatchSummary, 'drift' | 'view_failures'>;

/** How often a waiting batch checks whether it is its turn. */
const lookEveryMs = 300;

/** Batches that end side by side share one refresh; `stop` ends the wait for it. */
export async function refreshAfterBatch(
  deps: Pick<SyncDeps, 'clock' | 'config' | 'db' | 'logger' | 'pool'>,
  stop: AbortSignal,
): Promise<SeenInViews> {
  const { clock, config, db, logger, pool } = deps;
  try {
    return await refreshInTurn(
      pool,
      db,
      () => refresh(db, config.mapping, logger),
      () => clock.sleep(lookEveryMs, stop),
    );
  } catch (error) {
    if (stop.aborted) return { drift: [], view_failures: [] };
    // The data is published; the next batch tries the views again.
    logger.error({ event: 'views.failed', err: error });
    return { drift: [], view_failures: [{ source: '(all)', error: messageOf(error) }] };
  }
}

async function refresh(db: Executor, mapping: Config['mapping'], logger: Logger): Promise<SeenInViews> {
  const files = await readCodeFiles();
  const changes = await findCodeChanges(db, files);
  // Where a text differs, another release installed it, and its views are not ours to make.
  const isOurs = [...changes.functions, ...changes.views].every(({ makes }) =>
    makes.some((object) => changes.gone.includes(object)),
  );
  const gone = isOurs ? changes.gone : [];
  if (gone.length > 0) await installFunctions(db, files);
  const conflicts = await noteKeyConflicts(db);
  const { drift: fields, refreshed, failed } = await refreshViews(db);
  const drift = [...conflicts, ...fields];
  const remapped = await refreshMapping(db, mapping);
  if (gone.length > 0) await installViews(db, files);
  if (gone.length > 0) logger.warn({ event: 'warehouse.made_again', objects: gone });
  if (remapped.length > 0) logger.info({ event: 'views.mapped', sources: remapped });
  for (const { source, error } of failed) logger.warn({ event: 'views.stale', source, error });
  if (refreshed.length > 0) logger.info({ event: 'views.refreshed', sources: refreshed.length });
  for (const one of drift) logger.warn({ event: 'data.drift', ...one });
  return {
    drift: drift.map((one) => ({ ...one, path: one.path.length === 0 ? '' : pathText(one.path) })),
    view_failures: failed,
  };
}
