// Which Host headers are answered. A page of elsewhere that gives its name our address (DNS rebinding) sends its own
// name, and gets nothing.
import { isIP } from 'node:net';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Any port: it may be published under another one. @param allowed names beside those of this machine */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  if (name === undefined) return false;
  const same = asBrowsersSay(name);
  return loopback.includes(same) || allowed.some((one) => asBrowsersSay(one) === same);
}

/** An address of IPv6 in brackets, and by its shortest form. */
function asBrowsersSay(name: string): string {
  const bracketed = isIP(name) === 6 ? `[${name}]` : name;
  if (!bracketed.startsWith('[') || !URL.canParse(`http://${bracketed}`)) return name.toLowerCase();
  return new URL(`http://${bracketed}`).hostname;
}
