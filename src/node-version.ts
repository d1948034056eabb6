// The Node that this needs, checked by a file that an old one can read too.

/** The same as engines in package.json. What it leaves out never had long support, or lacks what the program imports. */
export const nodeRange = '^20.19 || ^22.12 || >=24';

/** One line on what to do; undefined: this Node will do. @param version as process.versions.node says it */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = nodeRange.split(' || ').some((part) => {
    const [leastMajor = 0, leastMinor = 0] = part.replace(/^\D+/, '').split('.').map(Number);
    return major === leastMajor ? minor >= leastMinor : part.startsWith('>=') && major > leastMajor;
  });
  if (fits) return undefined;
  return `Expected Node 20 (from 20.19), 22 (from 22.12), or 24 or newer, got ${version}. Install one (https://nodejs.org), then run the same command again`;
}
