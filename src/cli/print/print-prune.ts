// What pruning took away, or would.
import { plural } from '../../core/plural.ts';
import type { Keep } from '../../warehouse/prune/dates-that-stay.ts';
import type { WhyLeftAlone } from '../../warehouse/prune/left-alone.ts';
import type { PrunedStream } from '../../warehouse/prune/prune.ts';
import { bytes, table } from './table.ts';

export interface PruneSelection {
  readonly before: string;
  readonly keep: Keep | undefined;
  readonly streams: readonly string[];
  readonly leftAlone: readonly { readonly stream: string; readonly why: WhyLeftAlone }[];
  readonly account: string | undefined;
  readonly clientIds: readonly string[] | undefined;
}

export function pruneLines(
  streams: readonly PrunedStream[],
  selection: PruneSelection,
  isDry: boolean,
  width: number,
): readonly string[] {
  const stays =
    selection.keep === undefined ? '' : `, but for the last complete date of each ${periods[selection.keep]}`;
  const rule = `run dates before ${selection.before}${stays}`;
  const lines =
    streams.length === 0
      ? [`Nothing is there to prune of ${rule}.`]
      : [
          `${isDry ? 'Would prune' : 'Pruned'} ${rule}:`,
          ...table(
            [
              ['stream', 'scopes', 'dates', 'versions', 'typed rows', 'about'],
              ...streams.map((one) => [
                one.stream,
                one.scopes,
                one.dates,
                one.versions,
                one.typedRows,
                bytes(one.bytes),
              ]),
            ],
            { width, yields: ['scopes', 'dates'] },
          ),
          total(streams, isDry),
        ];
  const { leftAlone } = selection;
  const named = (why: string) => leftAlone.filter((one) => one.why === why).map((one) => one.stream);
  return [
    ...lines,
    ...leftLine('Left alone, as their versions are the history that views show', named('history')),
    ...leftLine('Left alone, as archives only grow', named('archive')),
  ];
}

const periods = { monthly: 'month', weekly: 'week' } as const;

function total(streams: readonly PrunedStream[], isDry: boolean): string {
  const sum = (of: (one: PrunedStream) => number) => streams.reduce((all, one) => all + of(one), 0);
  const what = `${plural(
    sum((one) => one.versions),
    'version',
  )}, ${plural(
    sum((one) => one.typedRows),
    'typed row',
  )}, about ${bytes(sum((one) => one.bytes))}`;
  return isDry
    ? `${what}. Nothing was changed`
    : `${what}. Later rows use the space; --rewrite gives it back`;
}

function leftLine(what: string, streams: readonly string[]): string[] {
  return streams.length === 0 ? [] : [`${what}: ${streams.join(', ')}`];
}

/** For scripts, and for the batch of a job. */
export function prunedJson(streams: readonly PrunedStream[]) {
  return {
    streams: streams.map(({ stream, scopes, dates, versions, typedRows, bytes: size }) => ({
      stream,
      scopes,
      dates,
      versions,
      typed_rows: typedRows,
      bytes: size,
    })),
  };
}
