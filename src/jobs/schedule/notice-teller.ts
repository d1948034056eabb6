// Notes what is wrong and sends it to the webhooks while the scheduler goes on, the database's absence included.
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import { readNotices, saveNotices } from '../../status/notices.ts';
import type { CurrentSettings } from './current-settings.ts';
import type { Metrics } from './metrics.ts';
import { createNoticeBook } from './notice-book.ts';
import type { SchedulerState } from './scheduler.ts';
import { type Findings, findUnreachable } from './troubles.ts';
import { sendToWebhooks } from './webhooks.ts';

export interface NoticeTellerOptions {
  readonly deps: { readonly db: Executor; readonly clock: Clock; readonly logger: Logger };
  readonly current: () => CurrentSettings;
  readonly scrub: (text: string) => string;
  readonly metrics: Metrics;
}

export interface NoticeTeller {
  /** Tells nobody yet. */
  note(findings: Findings): void;
  /** Nothing waits for it: a webhook that hangs delays neither a run nor the stop. */
  tell(): void;
  onState(next: SchedulerState, before: SchedulerState | 'starting'): void;
  /** What is being sent. */
  telling(): Promise<void>;
}

export function createNoticeTeller(options: NoticeTellerOptions): NoticeTeller {
  const { current, scrub, metrics } = options;
  const { db, clock, logger } = options.deps;
  const newBook = () =>
    createNoticeBook({
      clock,
      logger,
      load: () => readNotices(db),
      save: (notices) => saveNotices(db, notices),
      send: (told) =>
        sendToWebhooks(
          {
            webhooks: current().config.webhooks,
            withValues: current().config.webhookValues,
            environment: current().config.environment,
            logger,
            scrub,
            onResult: metrics.onWebhook,
          },
          told,
        ),
    });
  let book = newBook();
  /** Since when the database is away from the working scheduler; a standby leaves it to that one. */
  let awaySinceMs: number | undefined;
  let telling: Promise<void> = Promise.resolve();

  const tell = () => {
    const kinds = new Map<string, number>();
    for (const { kind } of book.lasting()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    metrics.onTroubles(kinds);
    telling = book.tell();
  };

  return {
    note: (findings) => book.note(findings),
    tell,
    onState(next, before) {
      if (next === 'working') awaySinceMs = undefined;
      else if (next === 'standing_by') {
        awaySinceMs = undefined;
        // From now on another process stores what is told.
        if (before === 'working' || before === 'database_unreachable') book = newBook();
      } else if (before === 'working') awaySinceMs = clock.now();
      else if (awaySinceMs !== undefined) {
        book.note(findUnreachable(clock.now() - awaySinceMs, current().config.databasePatienceMs));
        tell();
      }
    },
    telling: () => telling,
  };
}
