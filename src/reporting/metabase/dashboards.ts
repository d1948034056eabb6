// The two dashboards, their pages and filters, and the layout of questions on a page.
import type { Question } from './question.ts';

interface Placed {
  readonly question: Question;
  readonly row: number;
  readonly col: number;
}

/** Width of a dashboard, in columns. */
const columns = 24;

/**
 * Places questions from left to right; one that does not fit starts a new line below the tallest of the line before.
 */
export function layOut(questions: readonly Question[]): readonly Placed[] {
  const placed: Placed[] = [];
  let row = 0;
  let col = 0;
  let lineHeight = 0;
  for (const question of questions) {
    if (col + question.width > columns) {
      row += lineHeight;
      col = 0;
      lineHeight = 0;
    }
    placed.push({ question, row, col });
    col += question.width;
    lineHeight = Math.max(lineHeight, question.height);
  }
  return placed;
}

interface Page {
  readonly key: string;
  readonly name: string;
}

export interface Dashboard {
  /** Identifies the dashboard from one run to the next. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly pages: readonly Page[];
  readonly filters: readonly Filter[];
}

/** A filter is connected to the tag of its name in each question. */
export interface Filter {
  readonly tag: string;
  /** Metabase's identifier for it, the same at every run. */
  readonly id: string;
  readonly name: string;
  readonly type: 'string/=' | 'date/all-options';
  readonly default?: string | readonly string[];
  readonly single?: true;
}

const period: Filter = {
  tag: 'period',
  id: 'a14a0003',
  name: 'Period',
  type: 'date/all-options',
  // The ~ includes today, and with it the newest run date.
  default: 'past90days~',
};

export const dashboards: readonly Dashboard[] = [
  {
    key: 'portfolio',
    name: 'AI Rank: portfolio',
    about: 'Every client of the agency: AI Rank, what moved, how fresh the data is.',
    pages: [{ key: 'portfolio', name: 'Portfolio' }],
    filters: [{ tag: 'account', id: 'a14a0001', name: 'Account', type: 'string/=' }, period],
  },
  {
    key: 'client',
    name: 'AI Rank: client',
    about: 'One client. Choose it above: without a choice every client is shown.',
    pages: [
      { key: 'client', name: 'Client' },
      { key: 'competition', name: 'Competition' },
      { key: 'questions', name: 'Questions' },
      { key: 'sources', name: 'Sources' },
      { key: 'business', name: 'Business' },
    ],
    filters: [
      { tag: 'client', id: 'a14a0002', name: 'Client', type: 'string/=' },
      period,
      { tag: 'currency', id: 'a14a0004', name: 'Currency', type: 'string/=', default: ['EUR'], single: true },
    ],
  },
];
