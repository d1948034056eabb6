// The token of a link stands in its fragment, which no browser sends and no proxy logs. It is handed in once, for a
// cookie that scripts cannot read, and leaves the address.

export async function useLink(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  await fetch('api/session', { headers: { authorization: `Bearer ${token}` }, credentials: 'same-origin' });
}

/** A link that is pasted where the page is open already changes the fragment alone. */
export function onPastedLink(): void {
  addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
  });
}
