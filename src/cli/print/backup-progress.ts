// How far a backup is: one line on stderr that renews itself on a terminal, a plain line now and then elsewhere.
import { createLogUpdate } from 'log-update';
import { count } from '../../core/plural.ts';
import type { BackupProgress } from '../../retention/backup/watch-parts.ts';

const barWidth = 24;
const drawEveryMs = 200;
const plainEveryMs = 15_000;

export interface BackupProgressLine {
  readonly listen: (progress: BackupProgress) => void;
  /** Removes the line. */
  stop(): void;
}

/** @param signal ends the work before the next part */
export function createBackupProgress(
  stderr: NodeJS.WriteStream,
  signal: AbortSignal,
  now: () => number = Date.now,
): BackupProgressLine {
  const update = createLogUpdate(stderr);
  const isTerminal = stderr.isTTY === true;
  let drawnMs = now();
  return {
    listen: ({ share, table, rows }) => {
      signal.throwIfAborted();
      if (now() - drawnMs < (isTerminal ? drawEveryMs : plainEveryMs)) return;
      drawnMs = now();
      const percent = `${Math.floor(share * 100)} %  ${count(rows)} rows  ${table}`.trimEnd();
      if (!isTerminal) {
        stderr.write(`${percent}\n`);
        return;
      }
      const filled = Math.round(share * barWidth);
      const bar = '━'.repeat(filled) + '─'.repeat(barWidth - filled);
      update(`${bar} ${percent}`.slice(0, Math.max((stderr.columns ?? 80) - 1, 20)));
    },
    stop: () => {
      if (isTerminal) update.clear();
    },
  };
}
