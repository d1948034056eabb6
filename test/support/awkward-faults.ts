// How the awkward server sends an answer, and how it fails to.
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { wireBytes } from './awkward-json.ts';

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly location?: string }
  | { readonly kind: 'body'; readonly body: string; readonly type?: string }
  | { readonly kind: 'truncated' | 'reset' | 'hang' }
  | { readonly kind: 'delay'; readonly ms: number };

export function misbehave(response: ServerResponse, headers: Record<string, string>, fault: Fault): void {
  switch (fault.kind) {
    case 'status': {
      const location = fault.location === undefined ? {} : { location: fault.location };
      send(response, fault.status, { ...headers, ...location }, fault.body ?? '{"error":"algo"}');
      return;
    }
    case 'body':
      send(response, 200, { ...headers, 'content-type': fault.type ?? 'application/json' }, fault.body);
      return;
    case 'truncated':
      response.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"datos":[{"id":1');
      setTimeout(() => response.destroy(), 5);
      return;
    case 'reset':
      response.destroy();
      return;
    default:
  }
}

export function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
  zip = false,
): void {
  const bytes = wireBytes(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(zip ? gzipSync(bytes) : bytes);
}
