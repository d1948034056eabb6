// graphile-worker, loaded when it is needed: most commands never do, and at its import it looks for a configuration file.

/** A CommonJS package: in the build its names are those of the default export alone, from the sources they are its own. */
export async function loadLibrary() {
  const loaded = await import('graphile-worker');
  return 'runTaskList' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
}
