// Matches the sources of a server without a warehouse, from all of its records.

import { rowsField } from '../../src/warehouse/logical/logical-source.ts';
import { logicalSources } from '../../src/warehouse/logical/logical-sources.ts';
import { matchSource } from '../../src/warehouse/matching/match-source.ts';
import type { MappedField } from './judge-mapping.ts';
import { recordsOf, sampleOf } from './records-of.ts';
import { serveWorld } from './serve-world.ts';
import { valuesAt } from './values-at.ts';
import type { World } from './world.ts';

/** What is found on the first day, by field. */
export async function matchWorld(world: World): Promise<MappedField[]> {
  const served = await serveWorld(world);
  try {
    const keysAt = (records: readonly unknown[], field: string) =>
      (world.truth[field]?.paths.slice(0, 1) ?? []).flatMap((path) =>
        records.flatMap((record) => valuesAt(record, path).map(String)),
      );
    const clients = keysAt(
      (await recordsOf(served.baseUrl, [])).get('clientes')?.records ?? [],
      'clients.id',
    );
    const all = await recordsOf(served.baseUrl, clients);
    const keysOf = (stream: string) => {
      const source = logicalSources.find((one) => one.stream === stream && one.fields['id'] !== undefined);
      return new Set(keysAt(all.get(stream)?.records ?? [], `${source?.name}.id`));
    };
    return logicalSources.flatMap((source) => {
      const held = all.get(source.stream);
      const match = matchSource(
        source,
        sampleOf(source, held).slice(0, 1_000),
        { keysOf },
        { said: new Map(), held: new Map() },
      );
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
