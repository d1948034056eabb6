// Every table derived from typed rows. Each is defined in sql/derived/, by a statement that a SQL tool can run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeLiteral } from 'pg';
import { packageRoot } from '../../core/files.ts';
import { mentionTables } from './mention-tables.ts';
import type { Chosen, DerivedTable } from './touched.ts';

/** Sources of typed.rank_point, which has every point of the AI Rank; by stream. */
const rankSources = {
  visibility: 'visibility_now',
  airank: 'rank_now',
  visibility_history: 'visibility_history',
  airank_history: 'rank_history',
};

const rankTables = Object.entries(rankSources).map(
  ([stream, source]): DerivedTable => ({
    table: 'typed.rank_point',
    file: `rank_point_${source}`,
    source,
    columns: [
      ...[
        'account',
        'source',
        'slice_client_id',
        'until',
        'from_date',
        'record_key',
        'client_id',
        'is_standing',
      ],
      ...['date', 'measured_at', 'method', 'score', 'comparable', 'reasons', 'position', 'dimensions'],
      ...['source_rank', 'excluded_reason'],
    ],
    choose: ({ versions }) => versions,
    all: `d.source = ${escapeLiteral(stream)}`,
  }),
);

/** Keys of typed.action_status and typed.action_expectation, which combine all versions of an action. */
const keys = ['account', 'slice_client_id', 'record_key', 'client_id'];

/** Reads all versions of an action again when one was touched. */
const ofActions: Pick<DerivedTable, 'source' | 'choose' | 'all'> = {
  source: 'actions',
  choose: ({ records }) => records,
  all: 'true',
};

const actionTables: readonly DerivedTable[] = [
  {
    ...ofActions,
    table: 'typed.action_status',
    file: 'action_status',
    columns: [...keys, 'id', 'title', 'status', 'previous_status', 'from_date', 'since_date', 'next_date'],
  },
  {
    ...ofActions,
    table: 'typed.action_expectation',
    file: 'action_expectation',
    columns: [
      ...keys,
      ...['expectation_metric', 'expectation_from', 'expectation_to', 'expectation_frozen', 'is_changed'],
    ],
  },
];

export const derivedTables: readonly DerivedTable[] = [...rankTables, ...actionTables, ...mentionTables];

export function derivedFrom(source: string): readonly DerivedTable[] {
  return derivedTables.filter((one) => one.source === source);
}

export function insertDerived(
  { table, columns, file, source }: DerivedTable,
  { from, where }: Chosen,
): string {
  const parts = textOf(file).split(new RegExp(`from typed\\.${source} as x|where true`));
  const [before, between, after] = parts;
  if (parts.length !== 3)
    throw new Error(
      `Expected "from typed.${source} as x" and "where true" once each in sql/derived/${file}.sql`,
    );
  return `insert into ${table} (${columns.join(', ')})\n${before}from ${from} as x${between}where ${where}${after}`;
}

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(packageRoot(), 'sql/derived', `${file}.sql`), 'utf8');
  texts.set(file, text);
  return text;
}
