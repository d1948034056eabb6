// What to prune: flags and settings become one value, checked all at once.
import { ConfigError } from '../../core/errors.ts';
import { parseRunDate } from '../../core/run-date.ts';
import type { Keep } from '../../retention/prune/dates-that-stay.ts';
import { leftAloneReasons } from '../../retention/prune/left-alone.ts';
import { prunedStreams } from '../../retention/prune/pruned-streams.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { PruneSelection } from '../print/print-prune.ts';
import { readStreamNames } from './selection.ts';

export interface PruneFlags {
  readonly before: string;
  readonly keep?: Keep;
  readonly streams?: string;
  readonly account?: string;
}

/** Clients are read by `readNamedClients`. @param configured streams of the settings, those that were added included */
export function readPruneFlags(flags: PruneFlags, configured: readonly Stream[]): PruneSelection {
  const faults: string[] = [];
  if (parseRunDate(flags.before) === undefined) {
    faults.push(`Expected --before to be a date such as 2026-04-03, got "${flags.before}"`);
  }
  const named = readStreamNames('--streams', flags.streams, [...catalog, ...configured]);
  const { pruned, leftAlone } = prunedStreams(configured);
  for (const { stream, why } of leftAlone) {
    if (named.has(stream)) {
      faults.push(
        `Expected --streams to name streams that are pruned, got "${stream}": ${leftAloneReasons[why]}. Leave it out`,
      );
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    before: flags.before,
    keep: flags.keep,
    streams: named.size > 0 ? [...named] : pruned,
    leftAlone: named.size > 0 ? [] : leftAlone,
    account: flags.account,
    clientIds: undefined,
  };
}
