// Applies what people said of fields, shows how far it is, and says what came of it.
import { plural } from '../../core/plural.ts';
import type { Executor } from '../../db/database.ts';
import { readMappingLines } from '../../mapping/mapping-lines.ts';
import type { Said } from '../../mapping/store-said.ts';
import { applySaid } from '../../publish/map-file/apply-said.ts';
import { type Readiness, readReadiness } from '../../status/view-readiness.ts';
import { readinessLine } from '../print/print-readiness.ts';
import { createRefillProgress } from '../print/refill-progress.ts';
import type { Settings, Terminal } from './context.ts';
import { findMapFile, mapText, storeMapFile } from './map-files.ts';

export interface AppliedMapping {
  readonly refilled: readonly string[];
  readonly views: Readiness;
}

export async function applyMapping(
  terminal: Terminal,
  db: Executor,
  { config }: Settings,
  said: Said,
): Promise<AppliedMapping> {
  const progress = createRefillProgress(terminal.stderr, terminal.signal);
  try {
    const { refilled } = await applySaid(db, said, config.mapping, progress.listen);
    return { refilled, views: await readReadiness(db) };
  } finally {
    progress.stop();
  }
}

export function appliedText({ refilled, views }: AppliedMapping): string {
  const tables =
    refilled.length === 0 ? 'No table had to be read anew' : `${plural(refilled.length, 'table')} read anew`;
  return `${tables}. ${readinessLine(views)}`;
}

/** A file that is there says so too, so that applying it does not undo what was said beside it. */
export async function noteInFile(
  { cwd, stderr }: Terminal,
  db: Executor,
  settings: Settings,
  name: string,
  decided: ReadonlyMap<string, string | null | undefined>,
): Promise<void> {
  const before = findMapFile(cwd, name);
  if (before === undefined || decided.size === 0) return;
  const { text } = mapText({ settings, lines: await readMappingLines(db), before, decided });
  storeMapFile(cwd, name, text);
  stderr.write(`${name} says so too.\n`);
}
