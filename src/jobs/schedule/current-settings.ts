import type { Config } from '../../config/config.ts';
import type { Stream } from '../../streams/stream.ts';

/** The configuration as it is now: files are read again while a process works. */
export interface CurrentSettings {
  readonly config: Config;
  readonly streams: readonly Stream[];
}
