// rank_fell: the AI Rank fell.
import { rankRule } from './rank-rule.ts';

export const rankFell = rankRule('rank_fell', -1);
