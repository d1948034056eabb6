// Every chart, in the order in which its page shows them.
import type { Chart } from './chart.ts';
import { rankTrend } from './rank-trend.ts';

export const charts: readonly Chart[] = [rankTrend];
