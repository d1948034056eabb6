// The token of a link stands in its fragment, which no browser sends and no proxy logs. It is handed in once, for a
// cookie that scripts cannot read, and leaves the address.
import { UnreadableError } from './data-source.ts';

/** @throws UnreadableError when the link opens nothing: what an older one opened is not shown in its place */
export async function useLink(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch('api/session', { headers, credentials: 'same-origin' });
  if (answer.ok) return;
  throw new UnreadableError(answer.status === 401 ? 'no_link' : 'failed', `${answer.status}`);
}

/** A link that is pasted where the page is open already changes the fragment alone. */
export function onPastedLink(): void {
  addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
  });
}
