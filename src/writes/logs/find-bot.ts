// Tells by a user agent which AI bot a request is of.
import { createHash } from 'node:crypto';
import type { Bot, FindBot } from './bot.ts';
import { botList, type ListedBot } from './bot-list.ts';

/** So many user agents are remembered; a site sees far fewer in a day. */
const mostRemembered = 20_000;

/** One expression over all bots, asked once for each user agent. */
export function createFindBot(bots: readonly ListedBot[] = botList): FindBot {
  // Longer names first: Applebot is in Applebot-Extended.
  const sorted = bots.toSorted((one, other) => other.name.length - one.name.length);
  const expression = new RegExp(`\\b(?:${sorted.map((bot) => `(${patternOf(bot)})`).join('|')})`, 'i');
  const known = new Map<string, Bot | null>();
  return (userAgent) => {
    if (userAgent === null) return null;
    const seen = known.get(userAgent);
    if (seen !== undefined) return seen;
    const groups = expression.exec(userAgent)?.slice(1) ?? [];
    const bot = sorted[groups.findIndex((group) => group !== undefined)] ?? null;
    if (known.size === mostRemembered) known.clear();
    // A copy: a piece of a line holds the whole block in memory.
    known.set(Buffer.from(userAgent).toString(), bot);
    return bot;
  };
}

/** Changes whenever the list does: the filter that a chunk was made with. */
export function botsVersion(bots: readonly ListedBot[] = botList): string {
  return createHash('sha256').update(JSON.stringify(bots)).digest('hex').slice(0, 16);
}

/** A name is a word: it ends where letters and digits end. */
function patternOf({ name, pattern }: ListedBot): string {
  return pattern ?? `${name.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&')}(?![a-z0-9])`;
}
