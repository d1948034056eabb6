// page_lost: own pages that engines cited are cited no more.
import { z } from 'zod';
import { type Rule, whileItHolds } from '../judging/rule.ts';
import { words } from '../judging/words.ts';

const lostRow = z.object({
  client_id: z.string(),
  date: z.string(),
  previous_date: z.string(),
  page_count: z.number(),
  pages: z.array(z.string()),
});

const mostPages = 10;

export const pageLost: Rule = {
  name: 'page_lost',
  severity: 'warning',
  statement: 'pages-lost',
  streams: ['citations'],
  needs: [['citations.url'], ['citations.is_own']],
  alsoReads: [],
  endsWhenGone: false,
  judge: (rows, { threshold = 1, language }) =>
    rows.map((row) => {
      const {
        client_id: clientId,
        date,
        previous_date: previous,
        page_count: count,
        pages,
      } = lostRow.parse(row);
      const hidden = count - Math.min(pages.length, mostPages);
      return {
        clientId,
        subject: '',
        date,
        holds: count >= threshold,
        lasts: false,
        before: undefined,
        after: count,
        unit: 'pages',
        title: words[language].page_lost(count),
        detail: [...pages.slice(0, mostPages), ...(hidden > 0 ? [`+ ${hidden}`] : [])].join(', '),
        why: `${count} own pages of ${previous} are not in the citations of ${date}; it speaks from ${threshold} on`,
      };
    }),
  ...whileItHolds,
};
