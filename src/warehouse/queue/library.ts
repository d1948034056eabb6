// graphile-worker, loaded when it is needed: most commands never do, and at its import it looks for a configuration file.

/** A CommonJS package: bundled, its names are those of the default export alone. */
export async function loadLibrary() {
  const { default: library } = await import('graphile-worker');
  return library;
}
