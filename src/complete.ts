// What a shell runs while somebody types: airank completion --known KIND WORD. A program of its own, because the whole one
// takes longer to read than a person wants to wait; silent whatever goes wrong.
import { candidateLines, wordKinds } from './cli/print/completion-words.ts';
import { knownWords } from './cli/setup/known-words.ts';

/** Also where a job file never ends. */
const longestMs = 1_000;

setTimeout(() => process.exit(0), longestMs).unref();
process.stdout.on('error', () => process.exit(0));
const [kindText, typed = ''] = process.argv.slice(4);
const kind = wordKinds.find((one) => one === kindText);
try {
  const known = kind === undefined ? [] : await knownWords({ env: process.env, cwd: process.cwd() }, kind);
  const lines = candidateLines(known, typed, kind === 'accounts' || kind === 'client-ids');
  process.stdout.write(lines.map((line) => `${line}\n`).join(''), () => process.exit(0));
} catch {
  process.exit(0);
}
