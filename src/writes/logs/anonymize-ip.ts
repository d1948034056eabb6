// Addresses without the part that tells a person: 24 bits of IPv4 stay, 48 of IPv6.
import { isIPv4, isIPv6 } from 'node:net';

/** Null where it is no address: nobody knows whom a name or a typing error tells. */
export function anonymizeIp(ip: string | null): string | null {
  if (ip === null) return null;
  if (isIPv4(ip)) return withoutHost(ip);
  const address = ip.replace(/%.*$/s, '');
  if (!isIPv6(address)) return null;
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const groups = groupsOf(embedded === null ? address : `${embedded[1]}${inHex(embedded[2] ?? '')}`);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `::ffff:${withoutHost(inDecimal(groups[6] ?? 0, groups[7] ?? 0))}`;
  const network = groups.slice(0, 3).map((group) => group.toString(16));
  return `${network.join(':').replace(/(?:^|:)0(?::0)*$/, '')}::`;
}

function withoutHost(ip: string): string {
  return ip.replace(/\d+$/, '0');
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function inHex(ip: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function inDecimal(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
