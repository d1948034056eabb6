// Rules on what engines say and reach of the brand: claim_false, crawler_refused and page_lost.
import * as z from 'zod';
import { groupBy } from '../../core/group-by.ts';
import { type Judgement, type Rule, whileItHolds } from '../judging/rule.ts';
import { type Language, means, words } from '../judging/words.ts';

const botRow = z.object({
  client_id: z.string(),
  date: z.string(),
  bot: z.string(),
  /** Domain and path. */
  place: z.string().nullable(),
  status: z.string(),
});

const mostPlaces = 5;

/** The site refuses a bot of an engine. */
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
        },
      ];
    });
  },
  ...whileItHolds,
};

const lostRow = z.object({
  client_id: z.string(),
  date: z.string(),
  page_count: z.number(),
  pages: z.array(z.string()),
});

const mostPages = 10;

/** Own pages that engines cited are cited no more. */
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
      const { client_id: clientId, date, page_count: count, pages } = lostRow.parse(row);
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
      };
    }),
  ...whileItHolds,
};

const claimRow = z.object({
  client_id: z.string(),
  date: z.string(),
  brand: z.string().nullable(),
  claim: z.string(),
  verdict: z.string(),
  fact: z.string().nullable(),
});
type ClaimRow = z.infer<typeof claimRow>;

/** A claim about the brand is judged false. */
export const claimFalse: Rule = {
  name: 'claim_false',
  severity: 'warning',
  statement: 'claims',
  streams: ['perception'],
  needs: [['claims.claim'], ['claims.verdict']],
  alsoReads: ['claims.brand', 'claims.checked', 'perception.brand', 'perception.is_own'],
  endsWhenGone: true,
  judge: (rows, { language }) => {
    const claims = groupBy(
      rows.map((row) => claimRow.parse(row)),
      ({ client_id, brand, claim }) => JSON.stringify([client_id, brand, claim]),
    );
    return [...claims.values()].flatMap((verdicts) => judgeClaim(verdicts, language) ?? []);
  },
  ...whileItHolds,
};

/** Several engines or checks may judge one claim: it is false while any of them says so. */
function judgeClaim(verdicts: readonly ClaimRow[], language: Language): Judgement | undefined {
  const isFalse = ({ verdict }: ClaimRow) => means('false', verdict);
  const byDate = [...verdicts].sort((a, b) => a.date.localeCompare(b.date));
  const one = byDate.findLast(isFalse) ?? byDate.at(-1);
  if (one === undefined) return undefined;
  const { client_id: clientId, date, brand, claim, fact } = one;
  return {
    clientId,
    subject: [brand, claim].filter((part) => part !== null).join(': '),
    date,
    holds: isFalse(one),
    lasts: true,
    before: undefined,
    after: undefined,
    unit: undefined,
    title: words[language].claim_false(brand ?? undefined, claim),
    detail: fact ?? undefined,
  };
}
