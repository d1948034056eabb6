#!/usr/bin/env node
// Starts the program. A Node that will not do gets one clear line, before anything is imported that it cannot run.
import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { nodeFault } from './node-version.ts';

// Bodies are large and live for milliseconds. Left to itself V8 lets them pile up to some hundred megabytes before it
// looks; growing by half at a time costs a few percent of time. Said before the imports: they take a first collection,
// which would leave the heap a hundred megabytes until the next.
setFlagsFromString('--heap-growing-percent=50');

// From Node 22 on it keeps what it compiled: two thirds of a short command's time are the files of its packages.
(nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

const fault = nodeFault(process.versions.node);
if (fault === undefined) await import('./main.ts');
else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
}
