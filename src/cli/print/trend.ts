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

/** `+2.3`, `-0.4`, `±0.0`; a dash where there is nothing to compare with. */
export function changeText(change: number | null): string {
  if (change === null) return '–';
  const text = change.toFixed(1);
  if (Number(text) === 0) return '±0.0';
  return text.startsWith('-') ? text : `+${text}`;
}
