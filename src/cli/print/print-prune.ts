// What pruning took away, or would.
import { plural } from '../../core/plural.ts';
import type { Keep } from '../../retention/prune/dates-that-stay.ts';
import type { WhyLeftAlone } from '../../retention/prune/left-alone.ts';
import type { Pruned, PrunedStream } from '../../retention/prune/prune.ts';
import { bytes, table } from './table.ts';
import { wrap } from './wrap.ts';

export interface PruneSelection {
  readonly before: string;
  readonly keep: Keep | undefined;
  readonly streams: readonly string[];
  readonly leftAlone: readonly { readonly stream: string; readonly why: WhyLeftAlone }[];
  readonly account: string | undefined;
  readonly clientIds: readonly string[] | undefined;
}

export function pruneLines(
  { streams, comparedDates }: Pruned,
  selection: PruneSelection,
  isDry: boolean,
  width: number,
): readonly string[] {
  const stays =
    selection.keep === undefined ? '' : `, but for the last complete date of each ${periods[selection.keep]}`;
  const rule = `run dates before ${selection.before}${stays}`;
  const lines =
    streams.length === 0
      ? wrap(`Nothing is there to prune of ${rule}.`, width)
      : [
          ...wrap(`${isDry ? 'Would prune' : 'Pruned'} ${rule}:`, width),
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
          ...wrap(total(streams, isDry), width),
        ];
  const { leftAlone } = selection;
  const named = (why: string) => leftAlone.filter((one) => one.why === why).map((one) => one.stream);
  return [
    ...lines,
    ...comparedLines(comparedDates, isDry, width),
    ...leftLines('Left alone, as their versions are the history that views show', named('history'), width),
    ...leftLines('Left alone, as archives only grow', named('archive'), width),
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

function comparedLines(dates: readonly string[], isDry: boolean, width: number): string[] {
  const [first] = dates;
  if (first === undefined) return [];
  const [go, take] = isDry ? ['would go', 'would take'] : ['went', 'take'];
  const changes = dates.length === 1 ? '1 change' : `${dates.length} changes`;
  return wrap(
    `What ${changes} of bi.rank_latest (change_7d, change_28d) compared with ${go}, from ${first} on: ` +
      `they ${take} an older date, which date_7d and date_28d say, or have none`,
    width,
    '! ',
  );
}

function leftLines(what: string, streams: readonly string[], width: number): string[] {
  return streams.length === 0 ? [] : wrap(`${what}: ${streams.join(', ')}`, width);
}
