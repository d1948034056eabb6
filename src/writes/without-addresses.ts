// What a service says of a log may repeat a line of it: addresses are taken out before it is stored or shown.
import { isIP } from 'node:net';

/** Also with a port or a mask after it. */
const looksLikeAddress =
  /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d*\.\d+\.\d+\.\d+)?)/gi;

export function withoutAddresses(text: string): string {
  return text.replaceAll(looksLikeAddress, (found) => (isIP(found) === 0 ? found : '[address]'));
}
