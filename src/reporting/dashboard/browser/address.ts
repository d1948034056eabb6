// The page's state in its address: the query on a server, the fragment in a file.
import { type PageState, readState, writeState } from '../page/page-state.ts';
import type { DataSource } from './data-source.ts';

export function stateInAddress(mode: DataSource['mode']): PageState {
  return readState((mode === 'server' ? location.search : location.hash).slice(1));
}

export function addressOf(state: PageState, mode: DataSource['mode']): string {
  return `${mode === 'server' ? '?' : '#'}${writeState(state)}`;
}

export function goTo(state: PageState, mode: DataSource['mode']): void {
  const address = addressOf(state, mode);
  history.pushState(null, '', address === '?' ? location.pathname : address);
}
