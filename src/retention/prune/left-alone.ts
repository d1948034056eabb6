// Streams that are never pruned, and why.
import type { Stream } from '../../streams/stream.ts';

export type WhyLeftAlone = 'archive' | 'history';

export const leftAloneReasons: Readonly<Record<WhyLeftAlone, string>> = {
  archive: 'an archive only grows, so its records are current',
  history: 'its versions are the history that views show',
};

/** Their versions are the history that curated views show: when a client joined, how an action moved, what was decided. */
const histories: readonly string[] = ['clientes', 'actions', 'acciones', 'agent_os', 'prompt_research'];

/** An archive only grows: its records are current, and thinning gives nothing back. Undefined: it is pruned. */
export function whyLeftAlone({ name, shape }: Pick<Stream, 'name' | 'shape'>): WhyLeftAlone | undefined {
  if (histories.includes(name)) return 'history';
  return shape === 'archive' ? 'archive' : undefined;
}
