// How far the tables are that are read through a new mapping: one line on stderr that renews itself on a terminal.
import { createLogUpdate } from 'log-update';
import { plural } from '../../core/plural.ts';
import type { MappingListener } from '../../publish/views/refresh-mapping.ts';

const barWidth = 24;

export interface RefillProgress {
  readonly listen: MappingListener;
  /** Removes the line. */
  stop(): void;
}

/** @param signal ends the work before the next slice */
export function createRefillProgress(stderr: NodeJS.WriteStream, signal: AbortSignal): RefillProgress {
  const update = createLogUpdate(stderr);
  const isTerminal = stderr.isTTY === true;
  const most = new Map<string, number>();
  return {
    listen: (progress) => {
      signal.throwIfAborted();
      const { source, open, table, tables } = progress;
      const slices = Math.max(most.get(source) ?? 0, open);
      if (!isTerminal && !most.has(source)) {
        stderr.write(`reading ${source} anew, ${plural(slices, 'slice')} (table ${table} of ${tables})\n`);
      }
      most.set(source, slices);
      const done = (table - 1 + (slices === 0 ? 1 : (slices - open) / slices)) / tables;
      const filled = Math.round(done * barWidth);
      const bar = '━'.repeat(filled) + '─'.repeat(barWidth - filled);
      const line = `${bar} table ${table} of ${tables}: ${source}, ${slices - open} of ${plural(slices, 'slice')}`;
      if (isTerminal) update(line.slice(0, Math.max((stderr.columns ?? 80) - 1, 20)));
    },
    stop: () => {
      if (isTerminal) update.clear();
    },
  };
}
