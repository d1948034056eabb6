// Somebody else uses the key too: what the real gate gets refused and how much of the minute is used, by kind of
// minute, on virtual time.
import { createWorld } from '../../support/gate-world.ts';
import type { ServerKind } from '../../support/model-server.ts';

const minutes = 60;
const minuteMs = 60_000;
const seeds = [1, 2, 3];
export const serverKinds: readonly ServerKind[] = ['fixed-clock', 'fixed-first', 'sliding'];

type NextInMs = (random: () => number) => number;

/** The other user: the mean is one request every 1 s to 6 s, or bursts. */
export const otherUsers: readonly {
  readonly what: string;
  readonly burst: number;
  readonly nextInMs?: NextInMs;
}[] = [
  { what: 'nobody', burst: 0 },
  { what: '20 a minute', burst: 1, nextInMs: (random) => random() * 6_000 },
  { what: '60 a minute', burst: 1, nextInMs: () => 1_000 },
  { what: 'bursts of 5', burst: 5, nextInMs: (random) => 5_000 * (1 + random() * 4) },
  { what: 'bursts of 20', burst: 20, nextInMs: (random) => 20_000 * (1 + random() * 4) },
];

interface SharedKey {
  /** Requests of ours that the server refused, an hour. */
  readonly refused: number;
  /** Requests of both that the server accepted, of all that it allows. */
  readonly use: number;
}

export async function shareKey(
  server: ServerKind,
  { burst, nextInMs }: (typeof otherUsers)[number],
  processes: number,
): Promise<SharedKey> {
  let refused = 0;
  let accepted = 0;
  for (const seed of seeds) {
    const world = createWorld({ server, latencyMs: [60, 500], seed });
    if (nextInMs !== undefined) world.others(nextInMs, burst);
    for (let count = 0; count < processes; count += 1) world.start();
    try {
      await world.clock.runUntil(minutes * minuteMs);
    } finally {
      world.clock.restore();
    }
    refused += world.server.refused.filter(({ who }) => who === 'us').length;
    accepted += world.server.accepted.length;
  }
  return { refused: refused / seeds.length, use: accepted / (seeds.length * 60 * minutes) };
}
