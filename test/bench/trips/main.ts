// test/bench/trips/main.ts [--delay MS]: how often each command waits for the database, and how long with a way of so many
// milliseconds there and back.
import { parseArgs } from 'node:util';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { createWorkplace } from '../../support/awkward-cli.ts';
import { buildIfOlder } from '../../support/built-program.ts';
import { startCountingProxy } from '../../support/counting-proxy.ts';
import { withBenchDatabase } from '../bench-database.ts';

const { values } = parseArgs({ options: { delay: { type: 'string', default: '0' } } });
const oneWayMs = Number(values.delay) / 2;

const commands = [
  ['migrate'],
  ['sync'],
  ['sync'],
  ['status'],
  ['views'],
  ['plan'],
  ['doctor'],
  ['dashboard', '--output', 'all.html'],
] as const;

await buildIfOlder();
await withBenchDatabase(async (databaseUrl) => {
  const proxy = await startCountingProxy(databaseUrl, oneWayMs);
  const sandbox = await startSandbox({ clients: 5, size: 1, perMinute: 1_000_000, perDay: 1_000_000 });
  const place = await createWorkplace({
    AIRANK_BASE_URL: sandbox.url,
    AIRANK_API_KEY: 'sandbox-key',
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
    AIRANK_LOG_LEVEL: 'warn',
    DATABASE_URL: proxy.url,
  });
  try {
    process.stdout.write('command      exit  trips  connections  seconds\n');
    for (const args of commands) {
      proxy.take();
      const before = Date.now();
      const { code, stderr } = await place.run(args);
      const { trips, connections } = proxy.take();
      const cells = [String(code).padStart(4), String(trips).padStart(7)];
      cells.push(String(connections).padStart(13), ((Date.now() - before) / 1_000).toFixed(1).padStart(9));
      process.stdout.write(`${args[0].padEnd(12)}${cells.join('')}\n`);
      if (code !== 0) process.stderr.write(stderr);
    }
  } finally {
    await place.remove();
    await sandbox.close();
    await proxy.close();
  }
});
