// Workers take jobs only with the settings of the scheduler that works, so it stores them, and those that change within
// seconds.
import type { Config } from '../../config/config.ts';
import { digestOf, sharedValues } from '../../config/shared-settings.ts';
import { type Clock, sleepUntilStopped } from '../../core/clock.ts';
import { packageVersion } from '../../core/files.ts';
import type { Executor } from '../../db/database.ts';
import { saveSchedulerSettings, schedulerSalt } from '../../db/workers.ts';
import type { Stream } from '../../streams/stream.ts';

/** The configuration as it is now: files are read again while a process works. */
export interface CurrentSettings {
  readonly config: Config;
  readonly streams: readonly Stream[];
}

interface SharedSettings {
  /** Stores the settings, where they are not stored yet. */
  share(): Promise<void>;
  /** Another scheduler may store its own: the next share looks again. */
  forget(): void;
  /** Calls `onChange` as long as settings that were shared have changed; never rejects. */
  watch(onChange: () => void, stop: AbortSignal): Promise<void>;
}

interface ShareSettingsOptions {
  readonly clock: Clock;
  /** The same object as long as nothing has changed. */
  readonly config: () => Config;
  readonly store: (config: Config) => Promise<void>;
}

/** How often settings are compared with those that are shared. */
const everyMs = 5_000;

export function createSharedSettings({ clock, config, store }: ShareSettingsOptions): SharedSettings {
  let shared: Config | undefined;
  const hasChanged = (): boolean => {
    if (shared === undefined) return false;
    try {
      return shared !== config();
    } catch {
      // Whoever shares them is told why they cannot be read.
      return true;
    }
  };
  return {
    async share() {
      const now = config();
      if (now === shared) return;
      await store(now);
      shared = now;
    },
    forget() {
      shared = undefined;
    },
    async watch(onChange, stop) {
      while (!stop.aborted) {
        await sleepUntilStopped(clock, everyMs, stop);
        if (!stop.aborted && hasChanged()) onChange();
      }
    },
  };
}

/** Hashes secrets with the salt of the warehouse. */
export async function storeSettings(db: Executor, config: Config): Promise<void> {
  const salt = await schedulerSalt(db);
  const values = sharedValues(config, salt);
  await saveSchedulerSettings(db, { version: packageVersion(), digest: digestOf(values), salt, values });
}
