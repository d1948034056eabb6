// Sources: the pages that engines cite now, those gained and lost, and the domains to aim for.
import { cutText } from '../../../core/text.ts';
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { counted, fill, firstOf, formatDate, formatNumber } from './format.ts';
import { unknownTail, unknownWord } from './tell.ts';

const pageNoun = 'page|pages';
const domainNoun = 'domain|domains';

export const sources: Chart = {
  name: 'sources',
  page: 'sources',
  scope: 'both',
  label: 'Where to get in',
  unit: 'Citations of the brand in blue and of rivals in grey, by domain',
  note: 'Domains that cite rivals and never the brand come first, then those that cite rivals more often, the widest gap on top.',
  headline: ([first], telling) => neverTitle(first, telling),
  title: (rows, telling) => {
    const { language } = telling;
    const [first] = rows;
    const [all, judged, gaps] = ['domain_count', 'judged_domain_count', 'gap_domain_count'].map(
      (name) => first?.number(name) ?? 0,
    );
    const [total, known] = [all ?? 0, judged ?? 0];
    if (known === 0) {
      const words = '{all}; which cite rivals more often: {why}';
      return fill(words, language, {
        all: counted(total, domainNoun, language),
        why: unknownWord(telling, 'rival_citation_count', 'citation_count'),
      });
    }
    const words = '{gaps} of {known} cite rivals more often than the brand';
    const said = fill(words, language, { gaps: String(gaps), known: counted(known, domainNoun, language) });
    return `${said}${byClient(rows, language)}${unknownTail(total - known, telling, 'rival_citation_count', 'citation_count')}`;
  },
  forms: [
    {
      as: 'bars',
      name: 'domain',
      small: 'source_type',
      value: 'citation_count',
      rival: 'rival_citation_count',
    },
    {
      as: 'table',
      columns: [
        'domain',
        'source_type',
        'authority_score',
        'citation_count',
        'rival_citation_count',
        'gap_count',
        'rivals',
        'rivals_of',
        'opportunity_type',
        'opportunity_reason',
      ],
    },
  ],
};

const mostClients = 3;

/** Adds `; rivals of Luna in 9, of Sol in 4` on the page of an account. */
function byClient(rows: readonly Fields[], language: Telling['language']): string {
  const counts = new Map<string, number>();
  for (const row of rows.filter((one) => one.flag('is_gap') === true))
    for (const name of row.text('rivals_of')?.split('; ') ?? [])
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, few], [, many]) => many - few);
  const said = sorted.map(([name, count]) =>
    fill('of {name} in {count}', language, { name: cutText(name, 30), count: String(count) }),
  );
  return said.length === 0 ? '' : fill('; rivals {said}', language, { said: firstOf(said, mostClients) });
}

/** `3 domains cite rivals and never the brand: first forum.example`. */
function neverTitle(first: Fields | undefined, { language }: Telling): string {
  const [judged, gaps, never] = ['judged_domain_count', 'gap_domain_count', 'never_domain_count'].map(
    (name) => first?.number(name) ?? 0,
  );
  const domain = cutText(first?.text('domain') ?? '', 40);
  const words: Words =
    judged === 0
      ? 'Which domains cite rivals more often is not known'
      : never === 0 && gaps === 0
        ? 'No domain cites rivals more often than the brand'
        : never === 0
          ? gaps === 1
            ? '{more} cites rivals more often than the brand: {domain}'
            : '{more} cite rivals more often than the brand: first {domain}'
          : never === 1
            ? '{domains} cites rivals and never the brand: {domain}'
            : '{domains} cite rivals and never the brand: first {domain}';
  return fill(words, language, {
    domain,
    domains: counted(never ?? 0, domainNoun, language),
    more: counted(gaps ?? 0, domainNoun, language),
  });
}

export const citedPages: Chart = {
  name: 'cited-pages',
  page: 'sources',
  scope: 'both',
  label: 'Pages cited now',
  unit: 'Citations, by page; blue: own pages',
  headline: ([first], telling) => {
    const count = (name: string) => formatNumber(first?.number(name) ?? 0, telling.language, 0);
    const words: Words =
      (first?.number('judged_page_count') ?? 0) === 0
        ? '{all} pages are cited'
        : '{own} of {all} cited pages are your own';
    return fill(words, telling.language, { all: count('page_count'), own: count('own_page_count') });
  },
  title: (rows, telling) => {
    const { language } = telling;
    const [first] = rows;
    const other = rows.find((row) => row.flag('is_own') === false && row.text('domain') !== null);
    const [all, own, judged] = ['page_count', 'own_page_count', 'judged_page_count'].map(
      (name) => first?.number(name) ?? 0,
    );
    const words = judged === 0 ? '{all} cited; whose they are: {why}' : '{all} cited, {own} of them your own';
    const said = fill(words, language, {
      all: counted(all ?? 0, pageNoun, language),
      own: String(own),
      why: unknownWord(telling, 'is_own'),
    });
    if (judged === 0) return said;
    const most = '; most cited of others: {domain}';
    const place =
      other === undefined ? '' : fill(most, language, { domain: cutText(other.text('domain') ?? '', 40) });
    return `${said}${unknownTail((all ?? 0) - (judged ?? 0), telling, 'is_own')}${place}`;
  },
  forms: [
    { as: 'bars', name: 'title', small: 'domain', href: 'page_url', value: 'citation_count', own: 'is_own' },
  ],
};

/** Maximum number of rows that the statement reads. */
const mostChanges = 5_000;

export const changedPages: Chart = {
  name: 'changed-pages',
  page: 'sources',
  scope: 'both',
  dateColumn: 'run_date',
  label: 'Pages gained and lost',
  unit: 'Cited pages, by run date',
  title: (rows, telling) => {
    const { language } = telling;
    const changed = (change: string) => rows.filter((row) => row.text('change') === change);
    const lost = changed('lost');
    const own = lost.filter((row) => row.flag('is_own') === true).length;
    const unknown = lost.filter((row) => row.flag('is_own') === null).length;
    const words = 'Pages gained: {gained}; lost: {lost}, {own} of them your own, since {from}';
    const least = rows.length < mostChanges ? '' : fill('at least ', language);
    const gained = changed('gained').length;
    const said = fill(words, language, {
      gained: `${least}${formatNumber(gained, language, 0)}`,
      lost: String(lost.length),
      own: String(own),
      from: formatDate(rows.map((row) => row.text('run_date') ?? '').sort()[0] ?? '', language),
    });
    const tail = '; owner of {count} lost: {why}';
    const why = unknownWord(telling, 'is_own');
    return unknown === 0 ? said : `${said}${fill(tail, language, { count: String(unknown), why })}`;
  },
  forms: [{ as: 'table' }],
};
