// The records of `mediciones` that may be new, page after page. Nothing of them is stored.
import type { ApiClient } from '../../api/client.ts';
import { pageLimit, paginate } from '../../api/paginate.ts';
import { dayMs } from '../../core/run-date.ts';
import { bodyIsList, findList, judgeList } from '../../streams/fields/judge-body.ts';
import type { Stream } from '../../streams/stream.ts';
import { momentsIn } from './find-measurement.ts';

export const mostPages = 50;

/**
 * Ends early where the newest come first and a page has reached what was before the start.
 * @throws what `ApiClient` throws
 */
export async function walkMeasurements(
  client: Pick<ApiClient, 'get'>,
  stream: Pick<Stream, 'name' | 'route' | 'query' | 'list'>,
  { startedAtMs, signal }: { readonly startedAtMs: number; readonly signal: AbortSignal },
): Promise<readonly unknown[]> {
  const { name, route, query } = stream;
  const request = { stream: name, route, query, withKey: true, accept: 'json', priority: 0 } as const;
  const pages = paginate(client, { ...request, purpose: 'people' }, { limit: pageLimit, signal });
  const all: unknown[] = [];
  for await (const { pageNo, answer } of pages) {
    const records = recordsOf(stream, answer.json);
    all.push(...records);
    if (pageNo >= mostPages || isPast(records, startedAtMs)) break;
  }
  return all;
}

function recordsOf(stream: Pick<Stream, 'route' | 'list'>, body: unknown): readonly unknown[] {
  const judged = judgeList(listKey(stream, body) ?? '', body);
  return judged.kind === 'records' ? judged.records : [];
}

function listKey({ route, list }: Pick<Stream, 'route' | 'list'>, body: unknown): string | undefined {
  if (list.kind === 'key') return list.key;
  const found = findList({ route }, body);
  return found.kind === 'key' ? found.key : bodyIsList;
}

/** Each is as old as the one before it or older, and the last one older than the start by more than a day. */
export function isPast(records: readonly unknown[], startedAtMs: number): boolean {
  const newest = records.map((record) => Math.max(...momentsIn(record)));
  const last = newest.at(-1);
  if (last === undefined || newest.some((ms) => !Number.isFinite(ms))) return false;
  const falls = newest.every((ms, index) => ms <= (newest[index - 1] ?? ms));
  return falls && (newest[0] ?? 0) > last && last < startedAtMs - dayMs;
}
