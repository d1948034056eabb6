// Reads a request's body up to a bound; past it, nothing more is stored.
import type { IncomingMessage } from 'node:http';

/** The body as text; undefined when it is larger than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const part: Buffer = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
