// airank completion: a script that makes a shell complete commands, options and known values.
import { Argument, type Command } from 'commander';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { bashCompletion } from '../print/completion-bash.ts';
import { fishCompletion } from '../print/completion-fish.ts';
import { completionWords, type Values } from '../print/completion-words.ts';
import { zshCompletion } from '../print/completion-zsh.ts';
import type { Terminal } from '../setup/context.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that completes what airank takes in bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Jobs, accounts and clients are completed too, by settings, job files and
warehouse as they are: that makes no request, and starts no database.

Examples:
  $ airank completion bash > ~/.local/share/bash-completion/completions/airank
  $ airank completion zsh > ~/.zfunc/_airank   # in a folder of fpath
  $ airank completion fish > ~/.config/fish/completions/airank.fish
  $ source <(airank completion bash)           # for this terminal alone`,
    )
    .action(async (shell: keyof typeof shells) => {
      const values: Readonly<Record<string, Values>> = {
        'airank completion': Object.keys(shells),
        'airank export': await viewNames(),
        'airank jobs run': 'job',
        'airank report': 'client',
        'airank dashboard link': 'client',
        'airank rename account': 'account',
      };
      terminal.stdout.write(shells[shell](completionWords(program, values)));
    });
}

async function viewNames(): Promise<string[]> {
  const { views } = await readCodeFiles();
  return views.flatMap(({ name }) => /^bi\/([a-z]\w*)\.sql$/.exec(name)?.[1] ?? []);
}
