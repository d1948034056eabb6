// Work that waits for its turn: the most urgent first, then the first come.

export interface Line<Work> {
  readonly length: number;
  /** 0 goes first, 9 last; what lies outside counts as the nearest. */
  push(priority: number, work: Work): void;
  next(): Work | undefined;
}

const lastPriority = 9;

export function createLine<Work>(): Line<Work> {
  // Maps keep their order and drop their head in constant time.
  const lines = Array.from({ length: lastPriority + 1 }, () => new Map<number, Work>());
  let pushed = 0;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (priority, work) => {
      pushed += 1;
      length += 1;
      const place = Math.min(lastPriority, Math.max(0, Math.round(priority)));
      (lines[place] ?? lines[lastPriority])?.set(pushed, work);
    },
    next: () => {
      for (const line of lines) {
        for (const [number, work] of line) {
          line.delete(number);
          length -= 1;
          return work;
        }
      }
      return undefined;
    },
  };
}
