// Matches the sources of a server without a warehouse, from all of its records.

import { rowsField } from '../../src/mapping/logical/logical-source.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { matchSource } from '../../src/mapping/matching/match-source.ts';
import type { MappedField } from './judge-mapping.ts';
import { recordsOf, sampleOf } from './records-of.ts';
import { serveWorld, worldKey } from './serve-world.ts';
import { valuesAt, type World } from './table.ts';

/** Finds the fields of a world on its first day. */
export async function matchWorld(world: World): Promise<MappedField[]> {
  const served = await serveWorld(world);
  try {
    const keysAt = (records: readonly unknown[], field: string) =>
      (world.truth[field]?.paths.slice(0, 1) ?? []).flatMap((path) =>
        records.flatMap((record) => valuesAt(record, path).map(String)),
      );
    const headers = { authorization: `Bearer ${worldKey}` };
    const listed = (await recordsOf(served.baseUrl, [], headers)).get('clientes')?.records ?? [];
    const all = await recordsOf(served.baseUrl, keysAt(listed, 'clients.id'), headers);
    const keysOf = (stream: string) => {
      const source = logicalSources.find((one) => one.stream === stream && one.fields['id'] !== undefined);
      return new Set(keysAt(all.get(stream)?.records ?? [], `${source?.name}.id`));
    };
    return logicalSources.flatMap((source) => {
      const sample = sampleOf(source, all.get(source.stream)).slice(0, 1_000);
      const match = matchSource(source, sample, { keysOf }, { overrides: new Map(), current: new Map() });
      const names = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
      return names.map((field) => ({
        field: `${source.name}.${field}`,
        path: match.found.find((one) => one.field === field)?.path ?? null,
        proposals: match.proposals.get(field) ?? [],
      }));
    });
  } finally {
    await served.close();
  }
}
