// The client was passed or passed somebody, as the API says of competitors: one rule in two directions. It compares
// no positions: of brands close to each other nobody knows which is ahead.
import * as z from 'zod';
import { type Rule, whileItHolds } from '../judging/rule.ts';
import { means, words } from '../judging/words.ts';

/** A row of sql/alerts/passing.sql. */
const newsRow = z.object({
  client_id: z.string(),
  date: z.string(),
  competitor: z.string(),
  news_type: z.string(),
  message: z.string().nullable(),
});

function passingRule(
  name: 'passed_by_competitor' | 'passed_competitor',
  meaning: 'passed_by' | 'passed',
): Rule {
  return {
    name,
    severity: meaning === 'passed_by' ? 'warning' : 'good',
    statement: 'passing',
    streams: ['competitors'],
    needs: [['competitor_alerts.kind']],
    alsoReads: ['competitor_alerts.competitor', 'competitor_alerts.date'],
    endsWhenGone: false,
    isDatedByApi: true,
    judge: (rows, { language }) =>
      rows.map((row) => {
        const { client_id: clientId, date, competitor, news_type: type, message } = newsRow.parse(row);
        return {
          clientId,
          subject: `news ${competitor}`,
          date,
          holds: means(meaning, type),
          lasts: false,
          before: undefined,
          after: undefined,
          unit: undefined,
          title: words[language][meaning](competitor),
          detail: message ?? undefined,
        };
      }),
    ...whileItHolds,
  };
}

export const passedByCompetitor = passingRule('passed_by_competitor', 'passed_by');
export const passedCompetitor = passingRule('passed_competitor', 'passed');
