// A small line of a figure over days, and its change.

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One character a value, from the lowest to the highest; a gap where there is none. */
export function trendLine(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = range === 0 ? 0.5 : (value - low) / range;
      return bars[Math.min(Math.floor(share * bars.length), bars.length - 1)];
    })
    .join('');
}

export interface Figure {
  readonly value: number | null;
  readonly method: string | null;
}

/** `+2.3`, `-0.4`, `±0.0`; `n/c` across methods, a dash where a figure is missing. */
export function changeBetween(before: Figure | undefined, now: Figure | undefined): string {
  if (typeof before?.value !== 'number' || typeof now?.value !== 'number') return '–';
  if (before.method !== now.method) return 'n/c';
  const text = (now.value - before.value).toFixed(1);
  if (Number(text) === 0) return '±0.0';
  return text.startsWith('-') ? text : `+${text}`;
}
