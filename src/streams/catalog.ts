// Every stream there is: the routes of the reference, changed and extended by the configuration.

import type { Config, StreamOverride } from '../config/config.ts';
import { ConfigError } from '../core/errors.ts';
import { basicStreams } from './basic.ts';
import { define, keyOf, listOf } from './define.ts';
import { intelligenceStreams } from './intelligence.ts';
import type { Stream } from './stream.ts';

/** Topics of streams: tags by which a job names many at once. Other tags follow from a stream's shape. */
const topics: Readonly<Record<string, readonly string[]>> = {
  rank: [
    'airank',
    'airank_history',
    'visibility',
    'visibility_history',
    'rank2',
    'prediccion',
    'airank_public',
  ],
  history: ['airank_history', 'visibility_history'],
  prompts: ['prompts', 'prompt_clusters', 'prompt_gaps', 'prompt_research', 'fanouts', 'demand', 'bgpi'],
  answers: ['mediciones', 'respuestas', 'citas', 'citations', 'sources', 'surfaces', 'perception', 'ask'],
  market: ['competitors', 'products', 'shopping', 'revenue', 'benchmark'],
  work: ['acciones', 'actions', 'experiments', 'optimizer', 'triggers', 'crawl'],
  agent: ['agent_memory', 'agent_os', 'agent_runs', 'agent_run_traces', 'triggers'],
};

/** `archive` or `state`, `per_client`, `high` for those that are walked first, and topics such as `rank`. */
export function tagsOf(stream: Pick<Stream, 'name' | 'shape' | 'perClient' | 'priority'>): string[] {
  return [
    stream.shape,
    ...(stream.perClient ? ['per_client'] : []),
    ...(stream.priority === 'high' ? ['high'] : []),
    ...Object.keys(topics).filter((topic) => topics[topic]?.includes(stream.name)),
  ];
}

/** Every tag that a stream can have. */
export const knownTags: readonly string[] = [
  'archive',
  'state',
  'per_client',
  'high',
  ...Object.keys(topics),
];

/** Basic routes first (api.md, "Basic routes"). Streams that details depend on come before them. */
export const catalog: readonly Stream[] = [...basicStreams, ...intelligenceStreams];

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
