// Reads bodies that hold several measurements side by side. If one is said to be official, that one is the result. A
// field in one measurement's part belongs to no other.
import { nameWords } from '../../streams/identifier-paths.ts';
import { type Candidate, candidateAt, type Found, profilePath, type Sample } from './candidates.ts';
import { isNamedSo, numbers } from './name-score.ts';
import { pathKey } from './profile.ts';

const fields = ['score', 'date', 'comparable'] as const;

/** Returns the official method's fields for those that the body only gives per method. */
export function officialOf(sample: Sample, found: readonly Found[]): Candidate[] {
  const version = versionOf(found.find(({ field }) => field === 'method')?.examples ?? []);
  if (version === undefined) return [];
  return fields.flatMap((field) => {
    const own = found.find((one) => one.field === `${version}_${field}`);
    const isOpen = sample.source.fields[field] !== undefined && !found.some((one) => one.field === field);
    const candidate = own === undefined || !isOpen ? undefined : candidateAt(sample, field, own.path);
    return candidate === undefined || own === undefined ? [] : [{ ...candidate, score: own.score }];
  });
}

/** Returns undefined if bodies differ, as no path leads to the official one of each. */
function versionOf(methods: readonly string[]): 'v1' | 'v2' | undefined {
  const [version, ...others] = new Set(methods.map((method) => /^\D*([12])(?:\.0)?$/.exec(method)?.[1]));
  if (others.length > 0 || version === undefined) return undefined;
  return version === '1' ? 'v1' : 'v2';
}

/**
 * True if a field was found in the part of another measurement: `anterior.comparable`, where the score is at
 * `puntuacion` and `anterior.puntuacion` is no field; or `v1.comparable` next to a score that is not in `v1`.
 * @param figures fields found or set, and candidates for the others
 */
export function isOfOtherPart(
  sample: Sample,
  { field, path }: Found,
  figures: readonly (Pick<Found, 'field' | 'path'> & Partial<Found>)[],
  claimed: ReadonlySet<string>,
): boolean {
  const { source, profiles, base } = sample;
  const names = source.fields[field]?.candidates ?? [];
  const own = profilePath(sample, path);
  const method = source.fields['score'] === undefined ? undefined : methodIn(own);
  if (method !== undefined && field !== 'score' && !names.some((name) => name.includes(method))) {
    const official = versionOf(figures.find((figure) => figure.field === 'method')?.examples ?? []);
    const scores = figures.filter((figure) => figure.field === 'score');
    const isShown = scores.some((score) => methodIn(profilePath(sample, score.path)) === method);
    if (method !== official && !isShown) return true;
  }
  const isBelow = (whole: readonly string[], part: readonly string[]) =>
    part.every((step, index) => whole[index] === step);
  const parts = own
    .map((_, index) => own.slice(0, index))
    .filter(
      (part) => part.length > base.length && isBelow(part, base) && !isNamedSo(names, part.at(-1) ?? ''),
    );
  return figures.some((figure) => {
    const type = source.fields[figure.field]?.type;
    if (figure.field === field || type === undefined || !numbers.has(type)) return false;
    const other = profilePath(sample, figure.path);
    if (!isBelow(other, base)) return false;
    const tails = other.slice(base.length).map((_, index, all) => all.slice(index));
    return parts.some(
      (part) =>
        !isBelow(other, part) &&
        tails.some((tail) => {
          const key = pathKey([...part, ...tail]);
          return (profiles.get(key)?.values.length ?? 0) > 0 && key !== pathKey(own) && !claimed.has(key);
        }),
    );
  });
}

function methodIn(path: readonly string[]): string | undefined {
  return path.flatMap((step) => nameWords(step)).find((word) => /^v[12]$/.test(word));
}
