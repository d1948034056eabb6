// crawler_refused: the site refuses a bot of an engine.
import { z } from 'zod';
import { groupBy } from '../../core/group-by.ts';
import { means } from '../judging/api-words.ts';
import { type Rule, whileItHolds } from '../judging/rule.ts';
import { words } from '../judging/words.ts';

const botRow = z.object({
  client_id: z.string(),
  date: z.string(),
  bot: z.string(),
  /** Domain and path. */
  place: z.string().nullable(),
  status: z.string(),
});

const mostPlaces = 5;

export const crawlerRefused: Rule = {
  name: 'crawler_refused',
  severity: 'warning',
  statement: 'crawl',
  streams: ['crawl'],
  needs: [['crawl.bot'], ['crawl.status']],
  alsoReads: [],
  endsWhenGone: true,
  judge: (rows, { language }) => {
    const bots = groupBy(
      rows.map((row) => botRow.parse(row)),
      (row) => JSON.stringify([row.client_id, row.bot]),
    );
    return [...bots.values()].flatMap((of) => {
      const [first] = of;
      if (first === undefined) return [];
      const refusing = of.filter(({ status }) => means('refused', status));
      const places = [...new Set(refusing.flatMap(({ place }) => place ?? []))];
      const statuses = [...new Set(of.map(({ status }) => `"${status}"`))].join(', ');
      return [
        {
          clientId: first.client_id,
          subject: first.bot,
          date: first.date,
          holds: refusing.length > 0,
          lasts: true,
          before: undefined,
          after: undefined,
          unit: undefined,
          title: words[language].crawler_refused(first.bot),
          detail: places.slice(0, mostPlaces).join(', ') || undefined,
          why: `${first.bot} has status ${statuses} on ${first.date}${refusing.length > 0 ? '' : ', which is no word of refusal'}`,
        },
      ];
    });
  },
  ...whileItHolds,
};
