// npm run test:postgres -- MAJOR [FILE…]: the integration tests on an older Postgres, which is fetched into a
// temporary folder. Without files: all of them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { packageVersions } from './majors.ts';
import { startOldServer } from './old-server.ts';

const log = (line: string) => process.stderr.write(`test:postgres: ${line}\n`);

/** @returns the exit code */
async function main([major = '', ...files]: readonly string[]): Promise<number> {
  const version = packageVersions.get(major);
  if (version === undefined) {
    log(`Expected one of ${[...packageVersions.keys()].join(', ')}, got "${major}"`);
    return 2;
  }
  const server = await startOldServer(version, log);
  try {
    log(`Postgres ${server.version}`);
    return await runTests(server.url, files);
  } finally {
    await server.stop();
  }
}

/** A signal goes to the tests, and the server is stopped after them. */
async function runTests(url: string, files: readonly string[]): Promise<number> {
  const vitest = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'integration', ...files], {
    cwd: packageRoot(),
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: url },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
