// airank push bots: the crawlers whose lines airank push logs sends.
import { plural } from '../../core/text.ts';
import { crawlers, findCrawler } from '../../writes/logs/find-crawler.ts';
import { defineCommand } from '../define-command.ts';
import { table } from '../print/table.ts';

export const botsCommand = defineCommand({
  about: 'list the AI bots whose lines airank push logs sends',
  args: [['[agent]', 'user agent: says which one it is of']],
  flags: { '--json': 'print them as JSON on stdout' },
  help: `
With a user agent it ends with 0 where that is a bot's, else with 1.

Examples:
  $ airank push bots
  $ airank push bots "Mozilla/5.0 (compatible; GPTBot/1.2)"
  $ airank push bots --json | jq -r '.bots[].name'`,
  async run({ terminal, flags, print, width }, agent) {
    if (agent !== undefined) {
      const bot = crawlers.find(({ name }) => name === findCrawler(agent));
      const line =
        bot === undefined ? 'No AI bot' : [bot.name, bot.operator, bot.purpose].filter(Boolean).join(', ');
      terminal.stdout.write(flags.json ? `${JSON.stringify(bot ?? null)}\n` : `${line}\n`);
      return bot === undefined ? 1 : 0;
    }
    const bots = crawlers.map(({ name, operator, purpose }) => ({ name, operator, purpose }));
    const rows = bots
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ name, operator, purpose }) => [name, operator ?? '', purpose ?? '']);
    const lines = [
      ...table([['bot', 'operator', 'fetches for'], ...rows], { width }),
      '',
      plural(bots.length, 'bot'),
    ];
    print({ bots }, lines);
    return 0;
  },
});
