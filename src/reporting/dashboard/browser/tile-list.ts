// Tiles: a figure each, with its change in words and signs, so that no meaning is by colour alone.
import type { Tile } from '../charts/chart.ts';
import { addressOf } from './address.ts';
import { element } from './element.ts';
import { sparkline } from './sparkline.ts';
import type { View } from './view.ts';

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
