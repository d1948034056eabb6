// One day's requests through the real gate (src/api/gate/gate.ts, Bottleneck and all) on virtual time, in front of
// a server with fixed minutes: how long it takes, what is refused, how full the minutes are.
import { createGate } from '../../../src/api/gate/gate.ts';
import { createMemoryLedger } from '../../support/memory-ledger.ts';
import { createModelServer } from '../../support/model-server.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { randomOf } from '../../torture/random.ts';

interface GateDay {
  readonly refused: number;
  readonly minutes: number;
  /** Fraction of what the server allows in that time. */
  readonly share: number;
}

export async function runGateDay(requests: number, perMinute: number, perDay: number): Promise<GateDay> {
  const startMs = Date.UTC(2026, 0, 1, 3, 15, 17);
  const clock = createVirtualClock(startMs);
  const random = randomOf(requests);
  const server = createModelServer('fixed-clock', perMinute, () => clock.now());
  const ledger = createMemoryLedger({ nowMs: () => clock.now(), sleep: (ms) => clock.sleep(ms), perDay });
  const account = 'default';
  const gate = createGate({
    account,
    clock,
    perMinute,
    concurrency: 6,
    ledger,
  });
  const { signal } = new AbortController();
  let done = 0;
  let endMs = startMs;
  const one = () =>
    gate.run({ stream: 'airank', purpose: 'job', priority: 5, signal }, async (seen) => {
      const latencyMs = 60 + random() * 440;
      await clock.sleep(latencyMs / 2);
      const { accepted, limit, remaining, resetS } = server.arrive('us');
      await clock.sleep(latencyMs / 2);
      seen({ limit, remaining, resetS });
      if (!accepted) await gate.refused({ kind: 'minute', waitMs: resetS * 1_000 });
      return { result: undefined };
    });
  const worker = async () => {
    while (done < requests) {
      done += 1;
      await one();
      endMs = clock.now();
    }
  };
  const workers = Array.from({ length: 12 }, worker);
  try {
    await clock.runUntil((requests / perMinute + 5) * 60_000);
    await Promise.all(workers);
  } finally {
    clock.restore();
  }
  const minutes = (endMs - startMs) / 60_000;
  // The first minute's requests are there at once.
  const allowed = perMinute * (Math.floor(minutes) + 1);
  return { refused: server.refused.length, minutes, share: requests / Math.max(allowed, requests) };
}
