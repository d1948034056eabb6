// Work that waits for its turn: the most urgent first, then the first come.

export interface Line<Work> {
  readonly length: number;
  /** 0 goes first, 9 last; what lies outside counts as the nearest. */
  push(priority: number, work: Work): void;
  /** The work whose turn it is, once there is some; undefined when there is none and the line is closed. */
  next(): Promise<Work | undefined>;
  /** How many wait for work. */
  readonly idle: number;
  /** Nobody waits for work any longer; what is pushed is still handed out. */
  close(): void;
}

const lastPriority = 9;

export function createLine<Work>(): Line<Work> {
  // Maps keep their order and drop their head in constant time.
  const lines = Array.from({ length: lastPriority + 1 }, () => new Map<number, Work>());
  const waiting: ((work: Work | undefined) => void)[] = [];
  let pushed = 0;
  let length = 0;
  let closed = false;

  const first = (): Work | undefined => {
    for (const line of lines) {
      for (const [number, work] of line) {
        line.delete(number);
        length -= 1;
        return work;
      }
    }
    return undefined;
  };

  return {
    get length() {
      return length;
    },
    get idle() {
      return waiting.length;
    },
    push: (priority, work) => {
      const taker = waiting.shift();
      if (taker !== undefined) return taker(work);
      pushed += 1;
      length += 1;
      const place = Math.min(lastPriority, Math.max(0, Math.round(priority)));
      (lines[place] ?? lines[lastPriority])?.set(pushed, work);
    },
    next: async () => {
      const work = first();
      if (work !== undefined || closed) return work;
      return await new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    close: () => {
      closed = true;
      for (const taker of waiting.splice(0)) taker(undefined);
    },
  };
}
