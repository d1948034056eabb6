// A small line without axes. Where a value is missing the line has a gap; a point alone is a dot.
import { svgElement } from './element.ts';

const width = 120;
const height = 32;
const margin = 3;

export function sparkline(line: readonly (readonly [date: string, value: number | null])[]): SVGElement {
  const picture = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    class: 'line',
    'aria-hidden': 'true',
  });
  const values = line.flatMap(([, value]) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const times = line.map(([date]) => Date.parse(date));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const place = (time: number, value: number): readonly [number, number] => [
    margin + ((time - first) / Math.max(last - first, 1)) * (width - 2 * margin),
    high === low ? height / 2 : height - margin - ((value - low) / (high - low)) * (height - 2 * margin),
  ];
  let run: (readonly [number, number])[] = [];
  const end = () => {
    const [only] = run;
    if (only !== undefined) {
      // A line from a point to itself is a dot, by its round ends.
      const points = (run.length === 1 ? [only, only] : run)
        .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
        .join(' ');
      const kind = run.length === 1 ? 'dot' : 'run';
      picture.append(svgElement('polyline', { points, fill: 'none', class: kind }));
    }
    run = [];
  };
  for (const [index, [, value]] of line.entries()) {
    if (value === null) end();
    else run.push(place(times[index] ?? first, value));
  }
  end();
  return picture;
}
