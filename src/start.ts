#!/usr/bin/env -S node --max-semi-space-size=2 --single-threaded-gc
// What starts the program: a Node that is too old gets one clear line, before anything is imported that it cannot run.
import { nodeFault } from './node-version.ts';

const fault = nodeFault(process.versions.node);
const [command, first] = process.argv.slice(2);
if (fault === undefined && command === 'completion' && first === '--known') await import('./complete.ts');
else if (fault === undefined) await import('./main.ts');
else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
}
