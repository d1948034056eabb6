// Every logical source of the curated views.
import { agentSources } from './logical-agent.ts';
import { demandSources } from './logical-demand.ts';
import { marketSources } from './logical-market.ts';
import { rankSources } from './logical-rank.ts';
import type { LogicalSource } from './logical-source.ts';

export const logicalSources: readonly LogicalSource[] = [
  ...rankSources,
  ...marketSources,
  ...demandSources,
  ...agentSources,
];

export function sourcesOf(stream: string): readonly LogicalSource[] {
  return logicalSources.filter((source) => source.stream === stream);
}
