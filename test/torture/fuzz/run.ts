// Runs the fuzzes one after another, each in a process of its own with a time limit.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fuzzes } from './all.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');
const longestMs = 40 * 60_000;

interface FuzzResult {
  readonly name: string;
  /** Undefined: nothing was found. */
  readonly find: string | undefined;
}

export async function runFuzzes(
  options: { readonly seed: number; readonly cases: number; readonly only: RegExp },
  progress: (line: string) => void,
): Promise<FuzzResult[]> {
  const results: FuzzResult[] = [];
  for (const { name } of fuzzes) {
    if (!options.only.test(`fuzz ${name}`)) continue;
    const find = await runAlone([name, String(options.seed), String(options.cases)]);
    progress(`fuzz ${name}: ${find ?? `nothing in ${options.cases} cases`}`);
    results.push({ name, find });
  }
  return results;
}

async function runAlone(args: readonly string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--import', tsx, main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (code === null) return `hangs: no end within ${longestMs / 60_000} minutes`;
  return code === 0 ? undefined : text.trim();
}
