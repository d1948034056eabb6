// Tags of a stream, by which a job names many at once: what follows from its shape, and its topics.
import type { Stream } from './stream.ts';

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
