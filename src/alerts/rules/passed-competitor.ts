// passed_competitor: the client passed somebody.
import { passingRule } from './passing-rule.ts';

export const passedCompetitor = passingRule('passed_competitor', -1);
