// Which Node this needs, checked by a file that an old one can read too.

/** The same as engines in package.json. */
const oldest = '20.19.0';

/** One line on what to do; undefined: this Node will do. @param version as process.versions.node says it */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = oldest.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Expected Node ${leastMajor}.${leastMinor} or newer, got ${version}. Install one (https://nodejs.org), then run the same command again`;
}
