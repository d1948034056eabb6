// The line that says which views are ready, and the reasons why a column or a view is not.
import type {
  ColumnGap,
  MissingData,
  Readiness,
  ReadinessSummary,
  WhyMissing,
} from '../../status/view-readiness.ts';

const mapCommand = 'airank map';

const reasons: Readonly<Record<WhyMissing, string>> = {
  never_synced: 'never synced',
  waiting: 'not published yet',
  failed: 'failed',
  unavailable: 'no data on this account',
  no_records: 'no records so far',
  no_list: 'nothing in its list so far',
};

/** `56 of 64 views ready, 5 partial (airank map), 3 without data`. */
export function readinessLine(readiness: Readiness | ReadinessSummary): string {
  const { ready, partial, empty } = readiness;
  const views = 'views' in readiness ? readiness.views : readiness.not_ready;
  const isUnmapped = views.some(
    ({ state, gaps }) => state === 'partial' && gaps.some(({ fields }) => fields.length > 0),
  );
  return [
    `${ready} of ${ready + partial + empty} views ready`,
    ...(partial === 0 ? [] : [`${partial} partial${isUnmapped ? ` (${mapCommand})` : ''}`]),
    ...(empty === 0 ? [] : [`${empty} without data`]),
  ].join(', ');
}

export function gapText({ column, reads, fields }: ColumnGap): string {
  if (fields.length === 0) return `${column} (not published yet)`;
  return `${column} (${reads === 'partly' ? 'partly: ' : ''}${fields.join(', ')})`;
}

export const missingText = ({ stream, why }: MissingData) => `${stream}: ${reasons[why]}`;
