// Every rule, in the order of the configuration.
import type { Rule } from '../judging/rule.ts';
import { claimFalse } from './claim-false.ts';
import { crawlerRefused } from './crawler-refused.ts';
import { outcomeIn } from './outcome-in.ts';
import { pageLost } from './page-lost.ts';
import { passedByCompetitor } from './passed-by-competitor.ts';
import { passedCompetitor } from './passed-competitor.ts';
import { rankFell } from './rank-fell.ts';
import { rankRose } from './rank-rose.ts';
import { revenueFell } from './revenue-fell.ts';

export const rules: readonly Rule[] = [
  rankFell,
  rankRose,
  passedByCompetitor,
  passedCompetitor,
  pageLost,
  claimFalse,
  crawlerRefused,
  revenueFell,
  outcomeIn,
];
