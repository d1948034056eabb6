// The file's `streams`, each checked on its own, in the names of the code.

import type { StreamOverride } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { faultText, parseAt, placeText, shown } from './fault.ts';
import { type StreamEntry, streamName, streamSchema } from './file-schema.ts';

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out what is undefined, as exactOptionalPropertyTypes asks. */
function defined<T extends object>(value: T): Defined<T> {
  const pairs = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(pairs) as Defined<T>;
}

function toOverride(entry: StreamEntry): StreamOverride {
  const { per_client: perClient, vanish_above: vanishAbove, ...rest } = entry;
  return {
    ...defined(rest),
    ...(perClient !== undefined && { perClient }),
    ...(vanishAbove !== undefined && { vanishAbove: defined(vanishAbove) }),
  };
}

/** An object without prototype, so that a stream named `constructor` is only there when it is configured. */
export function readStreamOverrides(file: ConfigFile, faults: string[]): Record<string, StreamOverride> {
  const overrides: Record<string, StreamOverride> = Object.create(null);
  const streams = file.data['streams'] ?? {};
  if (typeof streams !== 'object' || Array.isArray(streams)) {
    const place = placeText(file.source, ['streams']);
    faults.push(faultText({ place, expected: 'a mapping of stream names', got: shown(streams) }));
    return overrides;
  }
  for (const [name, value] of Object.entries(streams)) {
    const at = { source: file.source, path: ['streams', name] };
    const checked = parseAt(streamName, name, at, faults);
    // `name:` with nothing after it overrides nothing.
    const entry = parseAt(streamSchema, value ?? {}, at, faults);
    if (checked !== undefined && entry !== undefined) overrides[checked] = toOverride(entry);
  }
  return overrides;
}
