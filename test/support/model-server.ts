// The server's rate limit as a model: fixed minutes (by the clock or from the first request) or sliding ones.

export type ServerKind = 'fixed-clock' | 'fixed-first' | 'sliding';

interface ModelAnswer {
  readonly accepted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the minute renews; in a sliding one until the oldest request leaves it. */
  readonly resetS: number;
}

export interface ModelServer {
  /** A request arrives now. */
  arrive(who: 'us' | 'others'): ModelAnswer;
  readonly accepted: readonly { readonly atMs: number; readonly who: 'us' | 'others' }[];
  readonly refused: readonly { readonly atMs: number; readonly who: 'us' | 'others' }[];
}

const minuteMs = 60_000;

export function createModelServer(kind: ServerKind, limit: number, nowMs: () => number): ModelServer {
  const accepted: { atMs: number; who: 'us' | 'others' }[] = [];
  const refused: { atMs: number; who: 'us' | 'others' }[] = [];
  let windowStartMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  let oldest = 0;

  const renew = (now: number) => {
    if (kind === 'sliding') {
      while ((accepted[oldest]?.atMs ?? now) <= now - minuteMs) oldest += 1;
      count = accepted.length - oldest;
      windowStartMs = accepted[oldest]?.atMs ?? now;
    } else if (now >= windowStartMs + minuteMs) {
      windowStartMs = kind === 'fixed-clock' ? Math.floor(now / minuteMs) * minuteMs : now;
      count = 0;
    }
  };

  return {
    accepted,
    refused,
    arrive: (who) => {
      const now = nowMs();
      renew(now);
      const isAccepted = count < limit;
      if (isAccepted) {
        count += 1;
        accepted.push({ atMs: now, who });
      } else {
        refused.push({ atMs: now, who });
      }
      return {
        accepted: isAccepted,
        limit,
        remaining: limit - count,
        resetS: Math.ceil((windowStartMs + minuteMs - now) / 1_000),
      };
    },
  };
}
