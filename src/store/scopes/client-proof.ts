// Finds, by the service's answers, the field of a client that it takes as `cliente`. Several fields may be named like
// an identifier, and one may belong to another system.

import { valueAt } from '../../core/json.ts';
import { identifierPaths, identifierShape } from '../../streams/identifier-paths.ts';
import type { KeyPath } from '../../streams/stream.ts';

const mostRequests = 6;
const noClient = 'airank-no-such-client';

/** Asks for data of a client: returns the parsed body, or undefined if the service refuses. */
export type Ask = (clientId: string) => Promise<unknown>;

/**
 * Returns the field by which answers tell two clients apart, and both from a client that does not exist. Undefined if
 * no field does, or if just one is named like a client's identifier and needs no proof.
 */
export async function provenClientKey(clients: readonly unknown[], ask: Ask): Promise<KeyPath | undefined> {
  const candidates = identifierPaths(clients[0], 'clientes').flatMap(({ path, isSafe }) => {
    const ids = idsAt(clients, path);
    return ids === undefined ? [] : [{ path, isSafe, ids }];
  });
  const [first] = candidates;
  if (first === undefined || (candidates.length === 1 && first.isSafe)) return undefined;
  let left = mostRequests;
  const askFor = async (id: string): Promise<Leaves | undefined> => {
    left -= 1;
    const body = await ask(id);
    return body === undefined ? undefined : leavesOf(body, id);
  };
  const nobody = await askFor(noClient);
  for (const { path, ids } of candidates) {
    const [one, other] = ids;
    if (one === undefined || left < 3) return undefined;
    const answer = await askFor(one);
    if (answer === undefined || isSame(answer, nobody)) continue;
    // A timestamp or request number differs each time and proves nothing.
    const again = await askFor(one);
    const steady = (leaves: Leaves | undefined) => leaves && steadyOf(leaves, answer, again);
    if (again === undefined || isSame(steady(answer), steady(nobody))) continue;
    if (other === undefined) return path;
    const others = await askFor(other);
    const isAlike = isSame(steady(others), steady(answer)) || isSame(steady(others), steady(nobody));
    if (others !== undefined && !isAlike) return path;
  }
  return undefined;
}

/** Returns the identifiers of all clients; undefined if one has none, two share one, or they do not look like any. */
function idsAt(clients: readonly unknown[], path: KeyPath): readonly string[] | undefined {
  const shape = new RegExp(identifierShape('clientes'));
  const ids = clients.map((client) => {
    const value = valueAt(client, path);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  return new Set(ids).size === ids.length && ids.every((id) => shape.test(id)) ? ids : undefined;
}

type Leaves = ReadonlyMap<string, string>;

/** Leaves out the id that was asked for: many services repeat it, even if they do not know it. */
function leavesOf(value: unknown, id: string, place = ''): Leaves {
  if (typeof value === 'object' && value !== null)
    return new Map(
      Object.entries(value).flatMap(([name, inner]) => [...leavesOf(inner, id, `${place}/${name}`)]),
    );
  const text = typeof value === 'string' ? value.replaceAll(id, '') : JSON.stringify(value);
  return new Map([[place, text === id ? '' : text]]);
}

function isSame(one: Leaves | undefined, other: Leaves | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.size === other.size && [...one].every(([place, text]) => other.get(place) === text);
}

/** Returns what stayed the same in two answers to one question. */
function steadyOf(leaves: Leaves, first: Leaves, second: Leaves | undefined): Leaves {
  return new Map([...leaves].filter(([place]) => first.get(place) === second?.get(place)));
}
