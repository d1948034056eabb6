// The sandbox names its fields as the reference words them: what it has is found, whatever its values look like.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { matchSource } from '../../src/mapping/matching/match-source.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { asBody, getBody, listOf, startOpenSandbox } from '../support/sandbox-requests.ts';
import { recordsOf, sampleOf } from '../worlds/records-of.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startOpenSandbox();
});

afterAll(async () => {
  await sandbox.close();
});

test('values that never differ, codes and single words are found by their very names', async () => {
  const clients = listOf(await getBody(sandbox, 'clientes'), 'clientes').map((client) =>
    String(client['id']),
  );
  const headers = { authorization: `Bearer ${sandbox.keys[0]}` };
  const all = await recordsOf(sandbox.url, clients, headers);
  const keysOf = (stream: string) =>
    new Set((all.get(stream)?.records ?? []).map((record) => String(asBody(record)['id'])));
  const found = logicalSources.flatMap((source) => {
    const records = all.get(source.stream);
    const match = matchSource(
      source,
      sampleOf(source, records),
      { keysOf },
      { overrides: new Map(), current: new Map() },
    );
    return match.found.map(({ field, path }) => `${source.name}.${field} ${path}`);
  });
  expect(found).toEqual(
    expect.arrayContaining([
      'clients.status estado',
      'demand.cluster cluster',
      'demand.unit unidad',
      'triggers.done hecho',
    ]),
  );
  expect(found.length).toBeGreaterThan(300);
});
