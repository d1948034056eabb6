// What follows a batch, and what is tried again now and then, one after the other. Nothing waits for it.
import type { Logger } from '../../core/logger.ts';

/** Both may reject. */
export interface FollowUpPort {
  afterBatch(): Promise<void>;
  onLook(): Promise<void>;
}

export interface FollowUps {
  begin(what: keyof FollowUpPort): void;
  following(): Promise<void>;
}

const events = { afterBatch: 'follow.after_batch_failed', onLook: 'follow.on_look_failed' } as const;

export function createFollowUps(port: FollowUpPort | undefined, logger: Logger): FollowUps {
  let following: Promise<void> = Promise.resolve();
  return {
    begin(what) {
      if (port === undefined) return;
      following = following
        .then(() => port[what]())
        .catch((error: unknown) => logger.error({ event: events[what], err: error }));
    },
    following: () => following,
  };
}
