// What a chart lacks because nobody knows where it is in the data, or because a client is not given it.
import type { Readiness } from '../../../status/view-readiness.ts';
import type { Chart, Gaps } from '../charts/chart.ts';

/** @param statement of the chart: only columns that it names count. @returns logical fields, as `rank_now.score` */
export function unmappedFields(
  chart: Pick<Chart, 'views'>,
  statement: string,
  readiness: Readiness | undefined,
): readonly string[] {
  if (readiness === undefined) return [];
  const views = readiness.views.filter(({ view }) => chart.views.includes(view));
  const fields = views.flatMap(({ gaps }) =>
    gaps
      .filter(({ column, reads }) => reads === 'nothing' && isNamed(column, statement))
      .flatMap((gap) => gap.fields),
  );
  return [...new Set(fields)];
}

/**
 * The columns without a value that the statement names, and why. A field that nothing in the data looks like may be there
 * all the same: nobody said where.
 * @param notGiven streams of which the API has nothing for the client
 */
export function gapsOf(
  { views }: Pick<Chart, 'views'>,
  statement: string,
  readiness: Readiness | undefined,
  notGiven: ReadonlySet<string>,
): Gaps {
  const own = (readiness?.views ?? []).filter(({ view }) => views.includes(view));
  const unmapped = own.flatMap(({ gaps, absent }) => [
    ...gaps
      .filter(({ reads, fields }) => reads === 'nothing' && fields.length > 0)
      .map(({ column }) => column),
    ...absent,
  ]);
  const kept = columnsOf(views, readiness).filter(({ streams }) => streams.every((one) => notGiven.has(one)));
  return Object.fromEntries([
    ...unmapped
      .filter((column) => isNamed(column, statement))
      .map((column) => [column, 'not_mapped'] as const),
    ...kept
      .filter(({ column }) => isNamed(column, statement))
      .map(({ column }) => [column, 'not_given'] as const),
  ]);
}

/** Whether the API has nothing for the client of the view that gives a statement its rows: the first that it names. */
export function isNotGiven(
  statement: string,
  readiness: Readiness | undefined,
  notGiven: ReadonlySet<string>,
): boolean {
  const [, view = ''] = /\bfrom (bi(?:_history)?\.\w+)/.exec(statement) ?? [];
  const streams = columnsOf([view], readiness).flatMap((one) => one.streams);
  return streams.length > 0 && streams.every((stream) => notGiven.has(stream));
}

function columnsOf(views: readonly string[], readiness: Readiness | undefined) {
  return [...(readiness?.streams ?? [])].flatMap(([name, streams]) => {
    const [, view = '', column = ''] = /^(bi(?:_history)?\.\w+)\.(\w+)$/.exec(name) ?? [];
    return views.includes(view) ? [{ column, streams }] : [];
  });
}

/** `(rows)`: the view has none at all, whatever is read of it. */
function isNamed(column: string, statement: string): boolean {
  return column === '(rows)' || new RegExp(`\\b${column}\\b`).test(statement);
}
