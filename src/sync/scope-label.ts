// How a slice is named to people: stream, and whose.

/** `products of client 7 (default)`; the account itself has no client. */
export function scopeLabel(scope: { stream: string; account: string; clientId: string }): string {
  const client = scope.clientId === '' ? '' : ` of client ${scope.clientId}`;
  return `${scope.stream}${client} (account ${scope.account})`;
}
