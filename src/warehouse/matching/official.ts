// A body that holds both methods and says which one is official: that one is the result.
import { type Candidate, candidateAt, type Found, type Sample } from './candidates.ts';

const fields = ['score', 'date', 'comparable'] as const;

/** What the official method's own fields give, where the body has none beside the methods. */
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

/** Undefined where bodies differ: no path leads to the official one of each. */
function versionOf(methods: readonly string[]): 'v1' | 'v2' | undefined {
  const [version, ...others] = new Set(methods.map((method) => /^\D*([12])(?:\.0)?$/.exec(method)?.[1]));
  if (others.length > 0 || version === undefined) return undefined;
  return version === '1' ? 'v1' : 'v2';
}
