// passed_by_competitor: somebody passed the client.
import { passingRule } from './passing-rule.ts';

export const passedByCompetitor = passingRule('passed_by_competitor', 1);
