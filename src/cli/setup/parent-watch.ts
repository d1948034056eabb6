// npm runs a script through a shell, and the shell dies of a SIGTERM without passing it on: Node would go on
// without a parent. Only under npm: elsewhere a process may be detached on purpose.

/** Calls `onOrphaned` once when the shell between npm and this process is gone. */
export function watchParent(env: NodeJS.ProcessEnv, onOrphaned: () => void): void {
  if (env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onOrphaned();
  }, 500).unref();
}
