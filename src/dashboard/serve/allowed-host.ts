// Which Host headers are answered. A page of elsewhere that gives its name our address (DNS rebinding) sends its own
// name, and gets nothing.

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Any port: it may be published under another one. @param allowed names beside those of this machine */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  if (name === undefined) return false;
  const lower = name.toLowerCase();
  return loopback.includes(lower) || allowed.some((one) => one.toLowerCase() === lower);
}
