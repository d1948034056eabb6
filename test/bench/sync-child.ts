// One sync in a process of its own: prints its seconds and the peak of its resident memory.
import { runProgram } from '../../src/cli/program.ts';

const startedAt = performance.now();
const sink = Object.assign(Object.create(process.stderr), { write: () => true, isTTY: false });
const exitCode = await runProgram(
  ['sync', '--json', '--streams', 'mediciones,respuestas,citas,acciones', ...process.argv.slice(2)],
  { env: process.env, cwd: '/', stdout: sink, stderr: process.stderr, signal: new AbortController().signal },
);
const seconds = (performance.now() - startedAt) / 1000;
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(`${JSON.stringify({ seconds, peakMb })}\n`);
process.exit(exitCode);
