// Freezes plain data to the bottom. Class instances (URL, Secret) guard themselves.

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlain(value)) for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
