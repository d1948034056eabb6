// Prefixes of an older database: in `cl_nombre`, `cl_web`, … the `cl` says nothing.
import { type Profiles, pathKey } from './profile.ts';
import { abbreviations, conceptsOf } from './words.ts';

/** Fewer members may begin alike by chance. */
const fewestMembers = 3;

/** What several members of an object begin with, and means nothing, by the path of the object. */
export function commonPrefixes(profiles: Profiles): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { path } of profiles.values()) {
    const name = path.at(-1);
    const parent = pathKey(path.slice(0, -1));
    if (name !== undefined) members.set(parent, [...(members.get(parent) ?? []), name]);
  }
  return new Map([...members].map(([parent, names]) => [parent, prefixesOf(names)]));
}

function prefixesOf(names: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const name of names) {
    const prefix = /^(\p{L}{1,5})_(?=.)/u.exec(name)?.[1]?.toLowerCase();
    if (prefix === undefined || conceptsOf.has(prefix) || abbreviations.has(prefix)) continue;
    times.set(prefix, (times.get(prefix) ?? 0) + 1);
  }
  return [...times].flatMap(([prefix, count]) => (count >= fewestMembers ? [prefix] : []));
}
