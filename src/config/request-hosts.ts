// Names that requests may be for: those under which a proxy is reached.
import { z } from 'zod';
import { shown } from './fault.ts';
import type { Kind } from './setting-kinds.ts';

const wanted = 'names by commas, such as visibility.example.com';

/** A name or an address, without scheme and port. */
export function isRequestHost(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/i.test(text);
}

/** A list, or names by commas. */
export const requestHosts: Kind<readonly string[]> = {
  schema: z.union([z.string(), z.array(z.string())], { error: wanted }).transform((input, context) => {
    const parts = typeof input === 'string' ? input.split(',') : input;
    const names = parts.map((name) => name.trim()).filter((name) => name !== '');
    const wrong = names.find((name) => !isRequestHost(name));
    if (wrong === undefined) return [...new Set(names)];
    context.addIssue({ code: 'custom', message: wanted, params: { got: shown(wrong) } });
    return z.NEVER;
  }),
  fromText: (text) => text,
};
