// airank bots: whose lines airank push logs sends.
import type { Command } from 'commander';
import { plural } from '../../core/text.ts';
import { botList, botsVersion, createFindBot } from '../../writes/logs/bots.ts';
import { table } from '../print/table.ts';
import { columnsOf } from '../print/words.ts';
import type { Terminal } from '../setup/context.ts';

export function addBotsCommand(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('bots')
    .description('list the AI bots whose lines airank push logs sends')
    .argument('[agent]', 'user agent: says which bot it is of')
    .option('--json', 'print them as JSON on stdout')
    .addHelpText(
      'after',
      `
With a user agent it ends with 0 where that is a bot's, else with 1.

Examples:
  $ airank bots
  $ airank bots "Mozilla/5.0 (compatible; GPTBot/1.2)"
  $ airank bots --json | jq -r '.bots[].name'`,
    )
    .action((agent: string | undefined, flags: { json?: true }) => {
      if (agent !== undefined) {
        const bot = createFindBot()(agent);
        const told =
          bot === null ? 'No AI bot' : [bot.name, bot.operator, bot.purpose].filter(Boolean).join(', ');
        terminal.stdout.write(flags.json ? `${JSON.stringify(bot)}\n` : `${told}\n`);
        end(bot === null ? 1 : 0);
        return;
      }
      const bots = botList.map(({ name, operator, purpose }) => ({ name, operator, purpose }));
      const rows = bots
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
        .map(({ name, operator, purpose }) => [name, operator ?? '', purpose ?? '']);
      const lines = [
        ...table([['bot', 'operator', 'fetches for'], ...rows], { width: columnsOf(terminal.stdout) }),
        '',
        `${plural(bots.length, 'bot')}, list ${botsVersion()}`,
      ];
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify({ version: botsVersion(), bots }, null, 2)}\n`
          : `${lines.join('\n')}\n`,
      );
    });
}
