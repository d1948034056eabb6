// rank_rose: the AI Rank rose.
import { rankRule } from './rank-rule.ts';

export const rankRose = rankRule('rank_rose', 1);
