// airank push: the commands that send to the service, and the log of what was sent.
import { defineCommand } from '../define-command.ts';
import { logsCommand } from './push-logs-command.ts';
import { questionsCommand } from './push-questions-command.ts';
import { writesCommand } from './writes-command.ts';

export const command = defineCommand({
  about: 'send access logs and questions to the service',
  help: `
Examples:
  $ airank push logs /var/log/nginx/access.log*
  $ airank push questions questions.csv`,
  commands: { logs: logsCommand, questions: questionsCommand, writes: writesCommand },
});
