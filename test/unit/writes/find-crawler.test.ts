import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { crawlers, findCrawler } from '../../../src/writes/logs/find-crawler.ts';

const person = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface Crawler {
  readonly pattern: string;
  readonly instances: readonly string[];
  readonly tags?: readonly string[];
}

const packaged: readonly Crawler[] = createRequire(import.meta.url)('crawler-user-agents');

/** A word of robots.txt; no request has it as its user agent. */
const leftOut = 'Google-Extended';

describe('an AI bot', () => {
  test('is known by each user agent that the package has for it', () => {
    const ours = packaged.filter(({ pattern }) => pattern !== leftOut);
    const tagged = ours.filter(({ tags }) => tags?.includes('ai-crawler'));
    expect(tagged.length).toBeGreaterThan(70);
    const missed = tagged.flatMap(({ pattern, instances }) =>
      (instances.length > 0 ? instances : [pattern]).filter((one) => findCrawler(one) === undefined),
    );
    expect(missed).toEqual([]);
  });

  test.each([
    ['Mozilla/5.0 (KHTML, like Gecko; compatible; GPTBot/1.2)', 'GPTBot', 'OpenAI', 'training'],
    ['mozilla/5.0 (compatible; claudebot/1.0)', 'ClaudeBot', 'Anthropic', 'training'],
    ['Claude-User (claude-code/2.1.86)', 'Claude-User', 'Anthropic', 'user'],
    ['Mozilla/5.0 (compatible; OAI-SearchBot/1.0)', 'OAI-SearchBot', 'OpenAI', 'search'],
    ['Mozilla/5.0 (Applebot/0.1; +http://www.apple.com/go/applebot)', 'Applebot', 'Apple', 'search'],
    ['Mozilla/5.0 (compatible; Applebot-Extended/0.1)', 'Applebot-Extended', 'Apple', 'training'],
    ['GoogleOther-Image/1.0', 'GoogleOther', 'Google', null],
    ['Terra Cotta (+https://ceramic.ai)', 'TerraCotta', 'Ceramic', 'search'],
  ])('%s has a name, an operator and a purpose', (userAgent, name, operator, purpose) => {
    const found = crawlers.find((one) => one.name === findCrawler(userAgent));
    expect(found).toMatchObject({ name, operator, purpose });
  });

  test.each([
    ...[[person], ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)']],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['Mozilla/5.0 (compatible; Google-Extended/1.0)'],
    ['Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)'],
    ['Mozilla/5.0 (X11; Linux x86_64) Code/1.95 Devin Smith Operator'],
    ...[['Opera/9.80 (Windows NT 6.1; U) MyGPTBotanica/1'], ['']],
  ])('is none of these: %s', (userAgent) => {
    expect(findCrawler(userAgent)).toBeUndefined();
  });
});
