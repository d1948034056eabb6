// Tiles: a figure each, with its change in words and signs, so that no meaning is by colour alone.

import type { Tile } from '../charts/chart.ts';
import { addressOf } from './address.ts';
import { element, svgElement } from './element.ts';
import type { View } from './view.ts';

/** A small line without axes. Where a value is missing the line has a gap; a point alone is a dot. */
const width = 120;
const height = 32;
const margin = 3;

function sparkline(line: readonly (readonly [date: string, value: number | null])[]): SVGElement {
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

const arrows = { up: '▲', down: '▼', same: '●' } as const;

export function tileList(tiles: readonly Tile[], view: View): HTMLElement {
  return element(
    'ul',
    { class: 'tiles' },
    ...tiles.map((tile) => element('li', { class: 'tile-place' }, tileOf(tile, view))),
  );
}

function tileOf(tile: Tile, view: View): HTMLElement {
  const { label, value, change, direction, note, line, clientKey } = tile;
  const parts = [
    element('span', { class: 'tile-label' }, label),
    element('span', { class: 'tile-value' }, value),
    change === undefined
      ? undefined
      : element(
          'span',
          { class: `tile-change ${meaningOf(tile)}` },
          element('span', { 'aria-hidden': 'true' }, `${arrows[direction ?? 'same']} `),
          change,
        ),
    line === undefined || line.length === 0 ? undefined : element('span', { class: 'tile-line' }),
    note === undefined ? undefined : element('span', { class: 'tile-note' }, note),
  ];
  const known = view.overview.scopes.some((scope) => scope.clientKey === clientKey);
  const made = known
    ? element('a', { class: 'tile', href: addressOf(stateOf(clientKey, view), view.source.mode) }, ...parts)
    : element('div', { class: 'tile' }, ...parts);
  if (known) {
    made.setAttribute('data-client-key', clientKey ?? '');
    made.addEventListener('click', (event) => {
      // Another tab or window is the browser's affair.
      if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      view.go({ clientKey, page: 'client' });
    });
  }
  if (line !== undefined) made.querySelector('.tile-line')?.append(sparkline(line));
  return made;
}

function stateOf(clientKey: string | undefined, { state }: View) {
  return { ...state, clientKey, page: 'client' as const };
}

function meaningOf({ direction = 'same', up = 'good' }: Tile): string {
  if (direction === 'same' || up === 'neutral') return 'neutral';
  return (direction === 'up') === (up === 'good') ? 'good' : 'bad';
}
