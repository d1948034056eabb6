// The address of a Metabase: the rules of the API's address, in words of its own.
import { z } from 'zod';
import { parseBaseUrl } from './base-url.ts';
import type { Kind } from './setting-kinds.ts';

const metabaseUrlWanted =
  'an https address without user, query or fragment, such as https://metabase.example.com (http for a loopback host only)';

/** Without /api/v1 and a trailing slash. A refused text is described, never repeated. */
export const metabaseUrl: Kind<URL> = {
  schema: z.string({ error: metabaseUrlWanted }).transform((text, context) => {
    const result = parseBaseUrl(text.replace(/\/+$/, ''));
    if (result.ok) return result.url;
    const { got } = result.hints;
    context.addIssue({
      code: 'custom',
      message: metabaseUrlWanted,
      params: { ...(got !== undefined && { got }) },
    });
    return z.NEVER;
  }),
  fromText: (text) => text,
};
