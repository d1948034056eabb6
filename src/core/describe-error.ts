// An error as plain data for a log line: its own fields and its chain of causes, cycles cut.

const deepest = 8;
// The user's own mistakes need no stack.
const withoutStack = new Set(['ConfigError']);
const described = new Set(['name', 'message', 'stack', 'cause', 'errors']);

/** Drivers hang whole clients and sockets on their errors: class instances are left out. */
function isData(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value) || value instanceof Error || value instanceof Date || value instanceof URL)
    return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describeAt(thrown: unknown, depth: number, seen: ReadonlySet<unknown>): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if (seen.has(thrown) || depth > deepest) return { type: thrown.name, message: thrown.message };
  const path = new Set(seen).add(thrown);
  const next = (inner: unknown) => describeAt(inner, depth + 1, path);
  const fields = Object.entries(thrown).filter(([name, value]) => !described.has(name) && isData(value));
  const errors: unknown = 'errors' in thrown ? thrown.errors : undefined;
  return {
    type: thrown.name,
    message: thrown.message,
    ...Object.fromEntries(fields.map(([name, value]) => [name, next(value)])),
    ...(thrown.stack !== undefined && !withoutStack.has(thrown.name) && { stack: thrown.stack }),
    ...(Array.isArray(errors) && { errors: errors.map(next) }),
    ...(thrown.cause !== undefined && { cause: next(thrown.cause) }),
  };
}

/** What is not an error comes back as it is. */
export function describeError(thrown: unknown): unknown {
  return describeAt(thrown, 1, new Set());
}
