// Keeps the numbers (`id=NNN`) of the lines of logs that a sandbox took, as its option `received`.

export interface NumberedLines {
  readonly received: (lines: readonly string[]) => void;
  has(number: number): boolean;
  /** Numbers that had come before, each time. */
  readonly repeated: readonly number[];
}

export function noteNumberedLines(): NumberedLines {
  const seen = new Set<number>();
  const repeated: number[] = [];
  return {
    repeated,
    has: (number) => seen.has(number),
    received: (lines) => {
      for (const line of lines) {
        const number = /\bid=(\d+)\b/.exec(line)?.[1];
        if (number === undefined) continue;
        if (seen.has(Number(number))) repeated.push(Number(number));
        seen.add(Number(number));
      }
    },
  };
}
