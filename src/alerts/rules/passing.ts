// The client was passed or passed somebody: by its position, and by what the API says of competitors. One rule in two directions.
import { z } from 'zod';
import type { FactRow, Judgement, JudgeOptions, Rule } from '../judging/rule.ts';
import { figure, means, words } from '../judging/words.ts';
import { pointFields, positionFields, rankStreams } from './rank.ts';

const newsRow = z.object({
  kind: z.literal('news'),
  client_id: z.string(),
  date: z.string(),
  competitor: z.string(),
  news_type: z.string(),
  message: z.string().nullable(),
});

const positionRow = z.object({
  kind: z.literal('position'),
  client_id: z.string(),
  date: z.string(),
  method: z.string(),
  position: z.number(),
  position_7d: z.number(),
  date_7d: z.string(),
});

const passingRow = z.discriminatedUnion('kind', [newsRow, positionRow]);

type PassingName = 'passed_by_competitor' | 'passed_competitor';

/** @param sign 1: the position became a higher number, which is worse */
function passingRule(name: PassingName, sign: 1 | -1): Rule {
  const moved = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? 0 : sign * (to - from);
  return {
    name,
    severity: sign > 0 ? 'warning' : 'good',
    statement: 'passing',
    streams: [...rankStreams, 'competitors'],
    needs: [[...positionFields, 'competitor_alerts.kind']],
    alsoReads: [...pointFields, 'competitor_alerts.competitor', 'competitor_alerts.date'],
    endsWhenGone: false,
    isDatedByApi: true,
    judge: (rows: readonly FactRow[], options) =>
      rows.map((row) => {
        const read = passingRow.parse(row);
        return read.kind === 'news' ? ofNews(read, sign, options) : ofPosition(read, sign, options);
      }),
    isBack: (alert, now) => moved(alert.before, now.after) <= 0,
    isWorse: (alert, now) => now.holds && moved(alert.after, now.after) > 0,
  };
}

function ofNews(row: z.infer<typeof newsRow>, sign: 1 | -1, { language }: JudgeOptions): Judgement {
  const { competitor, news_type: type, date } = row;
  const holds = means(sign > 0 ? 'passed_by' : 'passed', type);
  return {
    clientId: row.client_id,
    subject: `news ${competitor}`,
    date,
    holds,
    lasts: false,
    before: undefined,
    after: undefined,
    unit: undefined,
    title: sign > 0 ? words[language].passed_by(competitor) : words[language].passed(competitor),
    detail: row.message ?? undefined,
    why: `the API says "${type}" of ${competitor} on ${date}${holds ? '' : ', which is not taken for that'}`,
  };
}

function ofPosition(row: z.infer<typeof positionRow>, sign: 1 | -1, { language }: JudgeOptions): Judgement {
  const { position, position_7d: before, date, method } = row;
  const [from, to] = [figure(before, language, 0), figure(position, language, 0)];
  const said = words[language];
  return {
    clientId: row.client_id,
    subject: `position ${method}`,
    date,
    holds: sign * (position - before) > 0,
    lasts: true,
    before,
    after: position,
    unit: 'position',
    title: sign > 0 ? said.position_lost(from, to) : said.position_won(from, to),
    detail: undefined,
    why: `position ${position} on ${date}, ${before} on ${row.date_7d}, method ${method}`,
  };
}

export const passedByCompetitor = passingRule('passed_by_competitor', 1);
export const passedCompetitor = passingRule('passed_competitor', -1);
