// Tells by a user agent which AI crawler a request is of. The list is crawlers.json: the entries of crawler-user-agents
// 1.60.0 (MIT) with the tag ai-crawler, and the names on the list of ai.robots.txt as of 2026-11 that it lacks.
import listed from './crawlers.json' with { type: 'json' };

interface Crawler {
  readonly name: string;
  readonly operator: string | null;
  /** The purpose of its requests: training, search, or user (a person asked just now). */
  readonly purpose: string | null;
  /** Source of a regular expression, where the name alone is a word of other agents too. */
  readonly pattern?: string;
}

export const crawlers: readonly Crawler[] = listed;

/** User agents that are remembered; a site sees far fewer in a day. */
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
  // A copy: a piece of a line holds the whole line in memory.
  known.set(Buffer.from(userAgent).toString(), found);
  return found;
}

/** A name is a word: it ends where letters and digits end. */
function patternOf({ name, pattern }: Crawler): string {
  return pattern ?? `${name.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&')}(?![a-z0-9])`;
}
