// The composition root, and the only place that ends the process.

import { isatty } from 'node:tty';
import { runProgram } from './cli/commands/program.ts';
import { stopLine, watchOutput, watchParent } from './cli/process.ts';

const stop = new AbortController();
let signals = 0;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    // A terminal that is closed sends several, and nobody has pressed anything.
    if (name !== 'SIGHUP') signals += 1;
    // A second Ctrl-C is for those who cannot wait; checkpoints are in the database anyway.
    if (signals > 1) process.exit(130);
    if (stop.signal.aborted) return;
    process.stderr.write(stopLine({ env: process.env, cwd: process.cwd() }, name));
    stop.abort(new Error(`stopped by ${name}`));
  });
}

watchParent(process.env, () => stop.abort(new Error('stopped: npm has ended')));

const output = watchOutput(process.stdout, process.stderr);
const exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
});
const code = await output.exitCode(exitCode);
if ([process.stdin, process.stdout, process.stderr].some(({ isTTY, fd }) => isTTY && !isatty(fd))) {
  // At its exit Node sets the terminal back as it was, and crashes where that is gone.
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
} else process.exit(code);
