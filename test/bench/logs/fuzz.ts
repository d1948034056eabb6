// test/bench/logs/fuzz.ts [lines]: damaged lines of every format, 100,000 of each, as text and as JSON. Each must be
// sent or counted, and the server must take what is sent.
import { fuzzFormat } from '../../unit/writes/fuzz-format.ts';
import { logSamples, moreSamples } from '../../unit/writes/log-samples.ts';

const lines = Number(process.argv[2] ?? 100_000);
let faults = 0;

for (const sample of [...logSamples, ...moreSamples]) {
  for (const form of ['text', 'json'] as const) {
    const fuzzed = await fuzzFormat(sample, lines, form, 20_260_403);
    const counts = `${fuzzed.read} read, ${fuzzed.sent} sent, ${fuzzed.unreadable} unreadable, ${fuzzed.others} others`;
    process.stdout.write(`${sample.name.padEnd(15)} ${form.padEnd(5)} ${counts}\n`);
    for (const fault of fuzzed.faults.slice(0, 5)) process.stdout.write(`  ${JSON.stringify(fault)}\n`);
    faults += fuzzed.faults.length;
  }
}
process.stdout.write(faults === 0 ? 'No crash, no line lost.\n' : `${faults} faults\n`);
process.exitCode = faults === 0 ? 0 : 1;
