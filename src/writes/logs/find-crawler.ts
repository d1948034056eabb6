// Tells from a user agent which AI crawler sent a request. The list, crawlers.json, has the entries of
// crawler-user-agents 1.60.0 (MIT) tagged ai-crawler, and the names that it lacks from ai.robots.txt as of 2026-11.
import listed from './crawlers.json' with { type: 'json' };

interface Crawler {
  readonly name: string;
  readonly operator: string | null;
  /** Purpose of its requests: training, search, or user (somebody asked just now). */
  readonly purpose: string | null;
  /** Regular expression for a crawler whose name is a word in other agents too. */
  readonly pattern?: string;
}

export const crawlers: readonly Crawler[] = listed;

/** Number of user agents that are remembered; a site sees far fewer in a day. */
const mostRemembered = 20_000;
const longestRemembered = 500;

// Longer names first: Applebot is in Applebot-Extended.
const sorted = crawlers.toSorted((one, other) => other.name.length - one.name.length);
const expression = new RegExp(`\\b(?:${sorted.map((one) => `(${patternOf(one)})`).join('|')})`, 'i');
const known = new Map<string, string | undefined>();

/** Returns the name of the crawler; undefined for everybody else. */
export function findCrawler(userAgent: string): string | undefined {
  if (known.has(userAgent)) return known.get(userAgent);
  const groups = expression.exec(userAgent)?.slice(1) ?? [];
  const found = sorted[groups.findIndex((group) => group !== undefined)]?.name;
  if (userAgent.length > longestRemembered) return found;
  if (known.size === mostRemembered) known.clear();
  // Copied, because a slice of a line keeps the whole line in memory.
  known.set(Buffer.from(userAgent).toString(), found);
  return found;
}

/** Matches a name as a word: it ends where letters and digits end. */
function patternOf({ name, pattern }: Crawler): string {
  return pattern ?? `${name.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&')}(?![a-z0-9])`;
}
