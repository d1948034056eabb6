// Every chart, in the order in which its page shows them.
import type { Chart } from './chart.ts';
import { demandPresence } from './demand-presence.ts';
import { mentionRate } from './mention-rate.ts';
import { promptGaps } from './prompt-gaps.ts';
import { rankTrend } from './rank-trend.ts';
import { surfaceMatrix } from './surface-matrix.ts';

export const charts: readonly Chart[] = [
  rankTrend,
  // Questions.
  mentionRate,
  demandPresence,
  promptGaps,
  surfaceMatrix,
];
