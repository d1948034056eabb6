// After a run published: the views learn which fields are new in the data. Never fails a run.
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import { noteKeyConflicts } from '../../warehouse/fields/key-conflicts.ts';
import { pathText } from '../../warehouse/fields/names.ts';
import { refreshMapping } from '../../warehouse/views/refresh-mapping.ts';
import { refreshViews } from '../../warehouse/views/refresh-views.ts';
import type { RunSummary } from './summary.ts';

export async function refreshAfterRun(
  db: Executor,
  mapping: Config['mapping'],
  logger: Logger,
): Promise<Pick<RunSummary, 'drift' | 'view_failures'>> {
  try {
    const conflicts = await noteKeyConflicts(db);
    const { drift: fields, refreshed, failed } = await refreshViews(db);
    const drift = [...conflicts, ...fields];
    const remapped = await refreshMapping(db, mapping);
    if (remapped.length > 0) logger.info({ event: 'views.mapped', sources: remapped });
    for (const { source, error } of failed) logger.warn({ event: 'views.behind', source, error });
    if (refreshed.length > 0) logger.info({ event: 'views.refreshed', sources: refreshed.length });
    for (const one of drift) logger.warn({ event: 'data.drift', ...one });
    return {
      drift: drift.map((one) => ({ ...one, path: one.path.length === 0 ? '' : pathText(one.path) })),
      view_failures: failed,
    };
  } catch (error) {
    // What was published is published; the next run tries again.
    logger.error({ event: 'views.failed', err: error });
    return { drift: [], view_failures: [{ source: '(all)', error: messageOf(error) }] };
  }
}
