// airank push: what is sent to the service.
import type { Command } from 'commander';
import type { Terminal } from '../setup/context.ts';
import { addPushLogsCommand } from './push-logs-command.ts';
import { addPushQuestionsCommand } from './push-questions-command.ts';

export function addPushCommand(program: Command, terminal: Terminal, end: (code: number) => void): void {
  const push = program
    .command('push')
    .description('send access logs and questions to the service')
    .addHelpText(
      'after',
      `
Examples:
  $ airank push logs /var/log/nginx/access.log*
  $ airank push questions questions.csv`,
    );
  addPushLogsCommand(push, terminal, end);
  addPushQuestionsCommand(push, terminal, end);
}
