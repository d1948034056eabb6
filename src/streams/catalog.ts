// Every stream there is: the routes of the reference, changed and extended by the configuration.

import type { Config, StreamOverride } from '../config/config.ts';
import { ConfigError } from '../core/errors.ts';
import { basicSpecs } from './basic.ts';
import { define, keyOf, listOf } from './define.ts';
import { intelligenceSpecs } from './intelligence.ts';
import type { Stream } from './stream.ts';

/** Returns a stream's tags: its shape, `per_client`, `high` if it is walked first, and its topics. */
export function tagsOf(stream: Pick<Stream, 'shape' | 'perClient' | 'priority' | 'topics'>): string[] {
  return [
    stream.shape,
    ...(stream.perClient ? ['per_client'] : []),
    ...(stream.priority === 'high' ? ['high'] : []),
    ...stream.topics,
  ];
}

/** All streams: basic routes first (api.md, "Routes"), and each stream before those that ask for its details. */
export const catalog: readonly Stream[] = [...basicSpecs, ...intelligenceSpecs].map(define);

export const knownTags: readonly string[] = [
  ...new Set(['archive', 'state', 'per_client', 'high', ...catalog.flatMap(({ topics }) => topics)]),
];

/**
 * The catalog with the configuration's overrides applied. Streams that are switched off, and `ask`
 * and `airank_public` without configured values, are left out.
 * @throws ConfigError naming every override that makes no stream
 */
export function resolveStreams(
  config: Pick<Config, 'streams' | 'questions' | 'publicIds'>,
): readonly Stream[] {
  const streams = new Map(catalog.map((stream) => [stream.name, stream]));
  const faults: string[] = [];
  for (const [name, override] of Object.entries(config.streams)) {
    const known = streams.get(name);
    if (override.enabled === false) {
      streams.delete(name);
    } else if (known !== undefined) {
      streams.set(name, apply(known, override));
    } else if (override.route === undefined) {
      faults.push(
        `Expected streams.${name} to name a known stream or to have a route, got neither. Known: ${[...streams.keys()].join(', ')}`,
      );
    } else {
      streams.set(name, apply(added(name, override.route), override));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return [...streams.values()].filter(
    (stream) =>
      (stream.source.kind !== 'questions' || config.questions.length > 0) &&
      (stream.source.kind !== 'public' || config.publicIds.length > 0) &&
      (stream.source.kind !== 'details' || streams.has(stream.source.of)),
  );
}

function added(name: string, route: string): Stream {
  return define({
    name,
    route,
    list: 'detect',
    shape: 'state',
    description: `Route ${route}, from the configuration`,
  });
}

function apply(stream: Stream, override: StreamOverride): Stream {
  return {
    ...stream,
    route: override.route ?? stream.route,
    description: override.description ?? stream.description,
    list: override.list === undefined ? stream.list : listOf(override.list),
    perClient: override.perClient ?? stream.perClient,
    keys: override.keys === undefined ? stream.keys : override.keys.map(keyOf),
    keysConfigured: override.keys !== undefined,
    vanishAbove: { ...stream.vanishAbove, ...override.vanishAbove },
    shape: override.shape ?? stream.shape,
    query: { ...stream.query, ...override.query },
    format: override.format ?? stream.format,
  };
}
