// Reads what a server holds without the product: all records of every stream, and the bodies around its lists.

import type { LogicalSource } from '../../src/mapping/logical/logical-source.ts';
import type { SampleRecord } from '../../src/mapping/matching/match.ts';
import { catalog } from '../../src/streams/catalog.ts';
import type { Stream } from '../../src/streams/stream.ts';
import { findList } from '../../src/validation/bodies.ts';

interface StreamRecords {
  readonly records: readonly unknown[];
  /** Body of each record without its list and `paginacion`, where it is in one. */
  readonly around: readonly unknown[];
  /** The first of those. */
  readonly envelopes: readonly unknown[];
}

/** The records of a source as a sample of the warehouse has them. */
export function sampleOf({ envelope }: LogicalSource, held: StreamRecords | undefined): SampleRecord[] {
  if (held === undefined) return [];
  return envelope
    ? held.envelopes.map((record) => ({ record }))
    : held.records.map((record, index) => ({ record, envelope: held.around[index] }));
}

type Body = Readonly<Record<string, unknown>>;

/** @param clients identifiers that are asked for where a route takes them */
export async function recordsOf(
  baseUrl: string,
  clients: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, StreamRecords>> {
  const all = new Map<string, StreamRecords>();
  for (const stream of catalog) {
    if (stream.source.kind !== 'walk' || stream.format === 'csv') continue;
    const found = { records: [] as unknown[], around: [] as unknown[], envelopes: [] as unknown[] };
    for (const client of stream.perClient ? [undefined, ...clients] : [undefined]) {
      for await (const body of pages(baseUrl, stream, client, headers)) {
        const key = listKeyOf(stream, body);
        if (key === undefined) {
          found.records.push(body);
          found.around.push(undefined);
          continue;
        }
        const { [key]: list, paginacion: _, ...around } = body as Body;
        const records = key === '' ? (body as unknown[]) : (list as unknown[]);
        found.records.push(...records);
        found.around.push(...records.map(() => (key === '' ? undefined : around)));
        if (key !== '' && found.envelopes.length < 5) found.envelopes.push(around);
      }
    }
    all.set(stream.name, found);
  }
  return all;
}

/** Undefined: the body is one record. */
function listKeyOf({ list, route }: Stream, body: unknown): string | undefined {
  if (list.kind === 'none') return undefined;
  if (list.kind === 'key') return list.key;
  const found = findList({ route }, body);
  return found.kind === 'key' ? found.key : '';
}

async function* pages(
  baseUrl: string,
  stream: Stream,
  client: string | undefined,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<unknown> {
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      ...stream.query,
      ...(stream.list.kind === 'none' ? {} : { limite: '200' }),
      ...(client === undefined ? {} : { cliente: client }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const response = await fetch(`${baseUrl}/api/v1/${stream.route}?${query}`, { headers });
    if (!response.ok) return;
    const body: unknown = await response.json();
    yield body;
    const next = (body as { paginacion?: { siguiente?: string | null } }).paginacion?.siguiente;
    cursor = next === null || next === '' ? undefined : next;
  } while (cursor !== undefined);
}
