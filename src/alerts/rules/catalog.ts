// Every rule, in the order of the configuration.
import type { Rule } from '../judging/rule.ts';
import { claimFalse, crawlerRefused, pageLost } from './engines.ts';
import { mentionFell, mentionRose } from './mentions.ts';
import { passedByCompetitor, passedCompetitor } from './passing.ts';
import { rankFell, rankRose } from './rank.ts';
import { outcomeIn, revenueFell } from './results.ts';

export const rules: readonly Rule[] = [
  rankFell,
  rankRose,
  mentionFell,
  mentionRose,
  passedByCompetitor,
  passedCompetitor,
  pageLost,
  claimFalse,
  crawlerRefused,
  revenueFell,
  outcomeIn,
];
