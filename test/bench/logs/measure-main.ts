// Reads one log into chunks in a process of its own, and prints what that took as JSON.

import { createFindBot } from '../../../src/writes/logs/bots.ts';
import { chunkLog, formatOf } from '../../../src/writes/logs/chunk-log.ts';
import { openLog } from '../../../src/writes/logs/open-log.ts';

const [path = '', agents] = process.argv.slice(2);
const allAgents = agents === 'all';
const log = await openLog(path);
const format = formatOf(log);
if (format === null) throw new Error(`no format: ${path}`);
let [lines, sent, chunks, peakRss] = [0, 0, 0, 0];
const watch = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
}, 20);
const began = process.cpuUsage();
const options = {
  form: 'text',
  findBot: createFindBot(),
  allAgents,
  anonymizeIp: allAgents,
  nowMs: Date.parse('2026-04-10'),
  lastLine: 'take',
  onReject: () => {},
} as const;
for await (const chunk of chunkLog(log, format, { fromByte: 0 }, options)) {
  lines += chunk.counts.read;
  sent += chunk.lines;
  chunks += chunk.lines === 0 ? 0 : 1;
}
const { user, system } = process.cpuUsage(began);
clearInterval(watch);
await log.close();
process.stdout.write(JSON.stringify({ cpuSeconds: (user + system) / 1e6, lines, sent, chunks, peakRss }));
