import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import { type WhyLeftAlone, whyLeftAlone } from './left-alone.ts';

export interface PrunedStreams {
  readonly pruned: readonly string[];
  readonly leftAlone: readonly { readonly stream: string; readonly why: WhyLeftAlone }[];
}

/** Of all streams that are known, also those that are switched off. @param configured those that were added included */
export function prunedStreams(configured: readonly Stream[]): PrunedStreams {
  const streams = [...new Map([...catalog, ...configured].map((stream) => [stream.name, stream])).values()];
  const leftAlone = streams.flatMap((stream) => {
    const why = whyLeftAlone(stream);
    return why === undefined ? [] : [{ stream: stream.name, why }];
  });
  const pruned = streams.filter((stream) => whyLeftAlone(stream) === undefined).map(({ name }) => name);
  return { pruned, leftAlone };
}
