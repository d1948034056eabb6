// A page request and its URL. The key never travels in a URL.

import type { Purpose } from '../core/budget.ts';
import { SkippableError } from '../core/errors.ts';

export interface PageRequest {
  readonly stream: string;
  readonly route: string;
  /** Appended to the route as one encoded path segment (the public `airank/:id`). */
  readonly pathId?: string;
  readonly query: Readonly<Record<string, string>>;
  /** Sent as `cliente`; undefined for the account itself. */
  readonly clientId?: string;
  /** False for the public route, which takes no key. */
  readonly withKey: boolean;
  readonly accept: 'json' | 'csv';
  readonly purpose: Purpose;
  /** 0 goes first, 9 last. */
  readonly priority: number;
  readonly keepsBytes?: true;
}

/** `{base_url}/api/v1/<route>?…`; a path prefix of the base URL stays. */
export function requestUrl(baseUrl: URL, request: PageRequest): string {
  const segment = request.pathId === undefined ? '' : `/${encodedSegment(request.pathId, request)}`;
  const parameters = new URLSearchParams(request.query);
  if (request.clientId !== undefined) parameters.set('cliente', request.clientId);
  // %20 means a space to every server, "+" only to those that decode forms.
  const query = parameters.toString().replaceAll('+', '%20');
  return `${routeUrl(baseUrl, request.route)}${segment}${query === '' ? '' : `?${query}`}`;
}

export function routeUrl(baseUrl: URL, route: string): string {
  return `${baseUrl.origin}${baseUrl.pathname.replace(/\/+$/, '')}/api/v1/${route}`;
}

/** Returns the route as error texts name it, without the query. */
export function toldRoute({ route, pathId }: PageRequest): string {
  return pathId === undefined ? route : `${route}/${encodeURIComponent(pathId)}`;
}

function encodedSegment(id: string, request: PageRequest): string {
  // URL parsers resolve dot segments even when they are percent-encoded.
  if (id === '' || id === '.' || id === '..') {
    throw new SkippableError(
      `Expected a public id that can be part of a path, got "${id}". Remove it from public_ids of the configuration.`,
      { stream: request.stream, route: request.route },
    );
  }
  return encodeURIComponent(id);
}

/** True for hosts that never leave the machine; only these may be asked over plain http. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
  );
}
