// What a build is made of, as CycloneDX 1.6: the packages in it, and those that are installed with it where they can be.
// Nothing in it changes from one build to the next while the packages stay the same.

/**
 * @param lock package-lock.json
 * @param bundled folders of the packages that the build holds, as the lock names them
 */
export function sbom(lock, bundled) {
  const own = lock.packages[''];
  const beside = reachedFrom(lock, Object.keys(own.optionalDependencies ?? {}));
  const known = new Set([...bundled, ...beside]);
  const listed = byReference(lock, known);
  const holds = new Set(bundled);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...named(own.name, own), ...licensed(own) } },
    components: listed.map(([, folders]) =>
      componentOf(lock, folders[0], folders.some((folder) => holds.has(folder)) ? 'required' : 'optional'),
    ),
    dependencies: [
      { ref: reference(own.name, own), dependsOn: references(lock, direct(own), known) },
      ...listed.map(([ref, folders]) => {
        const needed = folders.flatMap((folder) => neededBy(lock, folder));
        return { ref, dependsOn: references(lock, needed, known) };
      }),
    ],
  };
}

/** One version may lie in two folders, and is one component. */
function byReference(lock, known) {
  const listed = new Map();
  for (const folder of [...known].sort()) {
    const ref = referenceIn(lock, folder);
    listed.set(ref, [...(listed.get(ref) ?? []), folder]);
  }
  return [...listed].sort(([one], [other]) => (one < other ? -1 : 1));
}

function componentOf(lock, folder, scope) {
  const entry = lock.packages[folder];
  return { type: 'library', ...named(nameOf(folder), entry), scope, ...licensed(entry), ...hashed(entry) };
}

function named(name, { version }) {
  const [, group, rest] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = reference(name, { version });
  return { 'bom-ref': purl, ...(group ? { group, name: rest } : { name }), version, purl };
}

function licensed({ license }) {
  if (!license) return {};
  return { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] };
}

function hashed({ integrity }) {
  const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  return sha512
    ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }
    : {};
}

function reference(name, { version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function referenceIn(lock, folder) {
  return reference(nameOf(folder), lock.packages[folder]);
}

function references(lock, folders, known) {
  const listed = folders.filter((folder) => known.has(folder));
  return [...new Set(listed.map((folder) => referenceIn(lock, folder)))].sort();
}

function nameOf(folder) {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** What the package itself asks for: what is bundled is a devDependency. */
function direct(own) {
  const names = Object.keys({ ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies });
  return names.map((name) => `node_modules/${name}`);
}

function neededBy(lock, folder) {
  const { dependencies, optionalDependencies, peerDependencies } = lock.packages[folder];
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => found(lock, folder, name) ?? []);
}

function reachedFrom(lock, names) {
  const reached = new Set();
  const next = names.flatMap((name) => found(lock, '', name) ?? []);
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    if (reached.has(folder)) continue;
    reached.add(folder);
    next.push(...neededBy(lock, folder));
  }
  return reached;
}

/** The folder that Node takes the package from when one in this folder asks for it. */
function found(lock, folder, name) {
  for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
    const here = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (lock.packages[here]) return here;
    if (from === '') return undefined;
  }
}
