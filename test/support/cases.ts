/** Cases of a table, one a line, whose parts are set apart by =>. */
export const cases = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' => '));
