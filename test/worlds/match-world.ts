// Matches the sources of a server without a warehouse, from all of its records.

import { type LogicalSource, rowsField } from '../../src/mapping/logical/logical-source.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import type { SampleRecord } from '../../src/mapping/matching/match.ts';
import { matchSource } from '../../src/mapping/matching/match-source.ts';
import { type Neighbours, neighboursOf } from '../../src/mapping/matching/neighbours.ts';
import { type Judgement, judgeMapping, type MappedField } from './judge-mapping.ts';
import { recordsOf, sampleOf } from './records-of.ts';
import { serveWorld, worldKey } from './serve-world.ts';
import type { World } from './table.ts';
import { removeAt, valuesAt } from './values-at.ts';

interface Held {
  readonly sampleOf: (source: LogicalSource) => SampleRecord[];
  readonly keysOf: Neighbours['keysOf'];
  /** The names of the clients, by the path that holds them. */
  readonly namesAt: (path: string) => ReadonlySet<string>;
}

/** All that a server holds on the first day. */
export async function readWorld(world: World): Promise<Held> {
  const served = await serveWorld(world);
  try {
    const keysAt = (records: readonly unknown[], field: string) =>
      (world.truth[field]?.paths.slice(0, 1) ?? []).flatMap((path) =>
        records.flatMap((record) => valuesAt(record, path).map(String)),
      );
    const headers = { authorization: `Bearer ${worldKey}` };
    const clients = keysAt(
      (await recordsOf(served.baseUrl, [], headers)).get('clientes')?.records ?? [],
      'clients.id',
    );
    const all = await recordsOf(served.baseUrl, clients, headers);
    const keysOf = (stream: string) => {
      const source = logicalSources.find((one) => one.stream === stream && one.fields['id'] !== undefined);
      return new Set(keysAt(all.get(stream)?.records ?? [], `${source?.name}.id`));
    };
    const namesAt = (path: string) =>
      new Set((all.get('clientes')?.records ?? []).flatMap((one) => valuesAt(one, path).map(String)));
    return { sampleOf: (source) => sampleOf(source, all.get(source.stream)), keysOf, namesAt };
  } finally {
    await served.close();
  }
}

function fieldsOf(
  source: LogicalSource,
  sample: readonly SampleRecord[],
  neighbours: Neighbours,
): MappedField[] {
  const match = matchSource(source, sample, neighbours, { overrides: new Map(), current: new Map() });
  const names = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
  return names.map((field) => ({
    field: `${source.name}.${field}`,
    path: match.found.find((one) => one.field === field)?.path ?? null,
    proposals: match.proposals.get(field) ?? [],
  }));
}

/** Finds the fields of a world on its first day. */
export async function matchWorld(world: World): Promise<MappedField[]> {
  return fieldsOfAll(await readWorld(world));
}

/** Looks when a source is published, and again where something is asked, when the others are known: as a first sync. */
export function fieldsOfAll(held: Held): MappedField[] {
  const look = (source: LogicalSource, known: readonly MappedField[]) =>
    fieldsOf(source, held.sampleOf(source).slice(0, 1_000), besides(source, held, known));
  // Clients are published first.
  const clients = logicalSources.filter(({ name }) => name === 'clients').flatMap((one) => look(one, []));
  const first = logicalSources.map((source) => ({ source, fields: look(source, clients) }));
  const known = first.flatMap(({ fields }) => fields);
  return first.flatMap(({ source, fields }) =>
    fields.some(({ proposals }) => proposals.length > 0) ? look(source, known) : fields,
  );
}

/** @param mapped fields of all sources */
function besides(
  { name }: LogicalSource,
  { keysOf, namesAt }: Held,
  mapped: readonly MappedField[],
): Neighbours {
  const others = mapped.flatMap(({ field, path }) => {
    const [source = '', ...rest] = field.split('.');
    return source === name ? [] : [{ source, field: rest.join('.'), path }];
  });
  const path = others.find(({ source, field }) => source === 'clients' && field === 'name')?.path;
  const known = (of: string) =>
    of !== 'clients.name' ? keysOf(of) : path ? namesAt(path) : new Set<string>();
  return neighboursOf(known, others);
}

interface Lack {
  /** The field whose every path was taken out of the records. */
  readonly without: string;
  /** Fields that are mapped wrongly then. */
  readonly wrong: readonly Judgement[];
}

/** Takes one field after the other out of the records: each time what stands beside it should be left alone. */
export async function matchWithout(world: World): Promise<Lack[]> {
  const held = await readWorld(world);
  const known = fieldsOfAll(held);
  return logicalSources.flatMap((source) => {
    const sample = held.sampleOf(source).slice(0, 120);
    const rows = world.truth[`${source.name}.${rowsField}`]?.paths[0];
    // The key of an entry cannot be taken away.
    const own = Object.keys(source.fields).filter((field) => {
      const { paths = ['@key'] } = world.truth[`${source.name}.${field}`] ?? {};
      return !paths.includes('@key');
    });
    return own.map((field): Lack => {
      const without = `${source.name}.${field}`;
      const poorer = structuredClone(sample);
      for (const path of world.truth[without]?.paths ?? []) {
        for (const { record, envelope } of poorer) {
          if (path.startsWith('^^')) removeAt(envelope, path);
          else if (rows === undefined || path.startsWith('^')) removeAt(record, path);
          else for (const row of valuesAt(record, rows, true)) removeAt(row, path);
        }
      }
      const { [without]: _, ...truth } = world.truth;
      const judged = judgeMapping(truth, fieldsOf(source, poorer, besides(source, held, known)));
      return { without, wrong: judged.filter(({ verdict }) => verdict === 'wrong') };
    });
  });
}
