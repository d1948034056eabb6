// The candidate paths of a logical field, each with a score for name and values.
import { identifiesAnother } from '../../streams/identifier-paths.ts';
import type { LogicalSource } from '../logical/logical-source.ts';
import {
  type Place,
  type PlaceBase,
  parsePlace,
  printPlace,
  profileStep,
  type Step,
} from '../logical/place.ts';
import { type Expectation, expectationOf, impliedBy, subjectOf, wholesOf } from './expectations.ts';
import { isOfAnother, isRemark, nameScore, type WantedName } from './name-score.ts';
import { namesCount, wordsOf } from './name-words.ts';
import type { Neighbours } from './neighbours.ts';
import { type PathProfile, type Profiles, pathKey, type Scalar } from './profile.ts';
import type { ValueScore } from './read-share.ts';
import { isSamePlace, keyName, stepOf } from './rows.ts';
import {
  endOfRange,
  hasNoCents,
  isCodeOrLabel,
  isEnvelopeType,
  isInCents,
  isLabelOfOther,
  isLessCanonical,
  isLone,
  isOfRow,
  isOtherUnit,
  isTypeOfReference,
  saidTwice,
} from './siblings.ts';
import { valueScore } from './value-score.ts';

export interface Found {
  readonly field: string;
  readonly path: string;
  readonly score: number;
  readonly filled: number;
  readonly read: number;
  readonly examples: readonly string[];
}

export interface Candidate extends Found {
  readonly key: string;
  /** Key of the object whose code or label it is: one thing, of one field. */
  readonly whole: string | undefined;
  readonly isAmbiguous: boolean;
  readonly isTelling: boolean;
  readonly isAnother: boolean;
  /** Its values are the keys of the records that the field refers to. */
  readonly areKeys: boolean;
  /** How much of its name fits, 0 to 1. */
  readonly name: number;
  /** Its values are the days of a series. */
  readonly isInOrder: boolean;
  /** Says how much of the name fits, and what the values show. */
  readonly why: string;
}

/** Sample of a source's records, or of the fields beside their lists. */
export interface Sample {
  readonly source: LogicalSource;
  readonly profiles: Profiles;
  readonly base: readonly string[];
  readonly neighbours: Neighbours;
  /** True if the paths lead through the fields beside the lists. */
  readonly isEnvelope: boolean;
  readonly prefixes: ReadonlyMap<string, readonly string[]>;
}

/** Bonus for the path at which the field was found before: only something clearly better replaces it. */
const currentBonus = 0.1;
/** Bonus for a name under which another source has the field. */
const neighbourBonus = 0.06;
/** Weight of a name that is usual at the other place, row or record: enough to ask about the path. */
const elsewhere = 0.5;
const leastScore = 0.1;
/** Minimum score at which values mean anything. */
const telling = 0.25;
/** Weight of a path whose name or values suggest something else: enough to ask about it. */
export const another = 0.5;
/** Minimum score at which the only path with fitting values is raised. */
const leastToRaise = 0.35;

/** Scores every path for the field. @param current path at which the field was found before */
export function candidatesFor(
  sample: Sample,
  field: string,
  current: string | null | undefined,
): Candidate[] {
  const judged = [...sample.profiles.values()].flatMap(
    (profile) => candidateOf(sample, field, profile, current) ?? [],
  );
  // If one path holds the keys of the records, another identifier is something else's: `run_id` of a memory.
  const expected = expectationOf(sample.source, field);
  const isKeyed = expected.isIdentifier === true && judged.some((one) => one.areKeys);
  const twice =
    expected.type === 'text'
      ? saidTwice(
          sample,
          new Map(judged.filter((one) => !one.isAnother).map(({ key, score }) => [key, score])),
          expected,
        )
      : undefined;
  const all = judged.map((one) =>
    one.path !== current && ((isKeyed && !one.areKeys) || twice?.has(one.key) === true)
      ? { ...one, score: rounded(one.score * another), isAnother: true }
      : one,
  );
  const [only, ...others] = all.filter((one) => one.isTelling && !one.isAnother && !one.path.startsWith('^'));
  // It is the only path whose values fit; another with the same values is the same.
  const isOnly =
    only !== undefined && only.score >= leastToRaise && others.every((other) => isSame(only, other));
  return all
    .map((one) =>
      isOnly && one === only ? { ...one, score: rounded(one.score + 0.25 * (1 - one.score)) } : one,
    )
    .filter((one) => one.score >= leastScore);
}

const rounded = (score: number) => Math.round(Math.min(score, 1) * 1000) / 1000;

/** True for two names of the same values. */
export function isSame(a: Candidate, b: Candidate): boolean {
  return (
    a.examples.length > 0 &&
    a.filled === b.filled &&
    JSON.stringify(a.examples) === JSON.stringify(b.examples)
  );
}

/** Returns the field at one path, if its values fit. */
export function candidateAt(sample: Sample, field: string, path: string): Candidate | undefined {
  if (path.startsWith('^^') !== sample.isEnvelope) return undefined;
  const profile = sample.profiles.get(pathKey(profilePath(sample, path)));
  return profile === undefined ? undefined : candidateOf(sample, field, profile, undefined);
}

/** Returns the path of the profile that a place leads to. */
export function profilePath(sample: Sample, path: string): readonly string[] {
  const { steps, base } = parsePlace(path);
  return [...(base === 'row' ? sample.base : []), ...steps.map(profileStep)];
}

/** A path as a field would read it. */
interface Reading {
  readonly sample: Sample;
  readonly field: string;
  readonly expected: Expectation;
  readonly wanted: WantedName;
  readonly profile: PathProfile;
  readonly own: OwnPath;
  /** Names along the path, without prefixes. */
  readonly keys: readonly string[];
  readonly values: ValueScore;
  readonly filled: number;
}

/** Returns undefined if the path cannot be the field's. */
function readingOf(sample: Sample, field: string, profile: PathProfile): Reading | undefined {
  const { source, neighbours } = sample;
  const own = ownPath(profile, sample);
  if (own === undefined) return undefined;
  const expected = expectationOf(source, field);
  const judged = valueScore(expected, profile, neighbours, elementsOf(sample, profile));
  if (judged === undefined || isOtherUnit(sample, field, expected.type, profile)) return undefined;
  const leaf = own.steps.at(-1) ?? '';
  const isNoElement = expected.type === 'list' || expected.isIdentifier === true;
  if (isNoElement && /^\[\d+\]$/.test(leaf)) return undefined;
  if (isEnvelopeType(sample, profile) || isOfInterface(sample, own)) return undefined;
  if (expected.type === 'rate' && areWhole(profile.values) && namesCount(leaf)) return undefined;
  // `num_candidatos` identifies nothing.
  const identifies = expected.isIdentifier === true || expected.refersTo !== undefined;
  const isPlural = /\p{L}{5}s$/u.test(leaf) && !/(?:^|_)(?:id|cod)/i.test(leaf);
  if (identifies && judged.areKeys !== true && isPlural && areWhole(profile.values)) return undefined;
  const keys = own.steps.map((_, index) => keyName(withoutPrefix(sample, profile, own.steps, index)));
  const end = endOfRange(sample, profile);
  if (end !== undefined) keys.splice(-1, 1, end);
  const isInHundredths = expected.type === 'numeric' && isInCents(profile);
  const plainly = judged.isAmbiguous ? asUsual(judged, neighbours) : judged;
  const isUnsure = isInHundredths && hasNoCents(sample, profile);
  const values = isInHundredths
    ? {
        ...plainly,
        readers: [...plainly.readers, 'percent' as const],
        isAmbiguous: plainly.isAmbiguous || isUnsure,
      }
    : plainly;
  const filled = filledShare(sample, profile, own.base);
  return { sample, field, expected, wanted: wantedBy(source, field), profile, own, keys, values, filled };
}

const isPartOfLabel = ({ sample, expected, profile, own }: Reading) =>
  expected.isLabel === true && own.steps.length > 1 && isCodeOrLabel(sample, profile);
const isAround = ({ own, sample }: Reading) => own.base !== 'row' || sample.source.envelope;

/** Reasons why a path is something else's, as `airank map` prints them. */
const vetoes: readonly (readonly [why: string, holds: (reading: Reading) => boolean])[] = [
  ['its values are of something else', ({ values }) => values.isAnother === true],
  [
    'it identifies another record',
    ({ field, values, own, sample }) =>
      field === 'id' && values.areKeys !== true && identifiesAnother(own.steps, sample.source.stream),
  ],
  ['it is a moment of the row', ({ sample, field, profile }) => isOfRow(sample, field, profile)],
  [
    'its canonical form is there, too',
    ({ sample, field, profile }) => isLessCanonical(sample, namesOf(sample.source, field), profile),
  ],
  [
    'it is the type of what an identifier refers to',
    ({ sample, field, profile }) =>
      isTypeOfReference(sample, [...namesOf(sample.source, field), ...sourceNames(sample.source)], profile),
  ],
  [
    'it is the label of another field',
    ({ expected, sample, field, profile }) =>
      expected.isLabel === true && isLabelOfOther(sample, field, profile),
  ],
  [
    'it is always there, as reasons are not',
    ({ field, profile, filled }) =>
      field === 'reasons' && profile.arrays + profile.objects === 0 && filled > 0.95,
  ],
  [
    'it is the date of a part, which is not always there',
    ({ field, filled, own }) => field === 'date' && filled < 0.9 && own.steps.length > 1,
  ],
  ['it is named as something else', isNamedAsAnother],
  [
    'it is a remark',
    ({ expected, wanted, keys }) =>
      ['text', 'list', 'presence'].includes(expected.type) && isRemark(wanted, keys),
  ],
];

function isNamedAsAnother(reading: Reading): boolean {
  const { sample, expected, wanted, profile, own, keys } = reading;
  // Around records `meta` holds what is said of them; elsewhere it is a goal.
  const told = isAround(reading) && keys.length > 1 && keys[0] === 'meta' ? keys.slice(1) : keys;
  const isKey = own.steps.at(-1) === '@key';
  return !isKey && isOfAnother(wanted, told, expected) && !isFrozen(sample, profile);
}

function candidateOf(
  sample: Sample,
  field: string,
  profile: PathProfile,
  current: string | null | undefined,
): Candidate | undefined {
  const reading = readingOf(sample, field, profile);
  if (reading === undefined) return undefined;
  const { own, values, filled } = reading;
  const place = placeOf(own, values);
  const isCurrent = isSamePlace(current, place);
  const [veto] = (isCurrent ? undefined : vetoes.find(([, holds]) => holds(reading))) ?? [];
  const isUsual = veto === undefined && sample.neighbours.hasField(field, own.steps, isAround(reading));
  const name = nameWorth(reading);
  const score =
    together(name, values, filled) * (veto === undefined ? 1 : another) +
    (isCurrent ? currentBonus : 0) +
    (isUsual ? neighbourBonus : 0);
  return {
    field,
    key: pathKey(profile.path),
    whole: isPartOfLabel(reading) ? pathKey(profile.path.slice(0, -1)) : undefined,
    path: printPlace(place),
    score: rounded(score),
    filled,
    read: values.read,
    isAmbiguous: values.isAmbiguous,
    isTelling: values.score >= telling,
    isAnother: veto !== undefined,
    areKeys: values.areKeys === true,
    isInOrder: values.isInOrder === true,
    name,
    why: `its name fits by ${Math.round(100 * name)} %, its values ${values.why}${veto === undefined ? '' : `; ${veto}`}${isUsual ? '; it has this name elsewhere' : ''}`,
    examples: examplesOf(profile),
  };
}

const sourceNames = ({ name, stream }: LogicalSource) => [name, stream];
const namesOf = ({ fields }: LogicalSource, field: string) => fields[field]?.candidates ?? [];
const plainNames = (names: readonly string[]) => names.map((one) => one.replace('^', ''));

const wantedBy = (source: LogicalSource, field: string) => ({
  names: plainNames(namesOf(source, field)),
  subject: subjectOf(source),
  implied: impliedBy(source, field),
  wholes: wholesOf(source, field),
});

/** Returns how much of the field's names the path has, 0 to 1. */
function nameWorth(reading: Reading): number {
  const { sample, field, expected, wanted, profile, own, keys, values } = reading;
  const { source, base } = sample;
  const isThere = (name: string) => base.length === 0 || name.startsWith('^') === (own.base === 'record');
  const names = namesOf(source, field);
  const fits = (path: readonly string[]) =>
    Math.max(
      nameScore({ ...wanted, names: plainNames(names.filter(isThere)) }, path),
      // These names are usual at the other place, row or record.
      elsewhere * nameScore({ ...wanted, names: plainNames(names.filter((one) => !isThere(one))) }, path),
    );
  const isNamedByObject = isLone(sample, profile, expected.type) || isPartOfLabel(reading);
  const name = Math.max(fits(keys), isNamedByObject ? fits(keys.slice(0, -1)) : 0);
  // The key of an entry has no name, so only its looks say what it is.
  return own.steps.at(-1) === '@key' ? Math.max(name, keyScore(source, field, values)) : name;
}

/** Reads values that fit two ways as the rest of the server is read. */
function asUsual(values: ValueScore, { usual }: Neighbours): ValueScore {
  const readers = values.readers.map((reader) => usual(reader) ?? reader);
  return { ...values, readers, isAmbiguous: values.readers.every((reader) => usual(reader) === undefined) };
}

interface OwnPath {
  readonly steps: readonly string[];
  readonly base: PlaceBase;
}

/** Returns the path as seen from the row; undefined if it is not part of one row. */
function ownPath({ path, filled }: PathProfile, { base, isEnvelope }: Sample): OwnPath | undefined {
  const isBelow = path.length > base.length && base.every((step, index) => path[index] === step);
  const steps = isBelow ? path.slice(base.length) : path;
  // In a record with rows, skips the contents of other arrays, and the way to the rows.
  const isWay = !isBelow && path.every((step, index) => base[index] === step);
  if (filled === 0 || steps.length === 0 || isWay || steps.some((step) => step === '[]' || step === '*')) {
    return undefined;
  }
  // Skips other entries of the map whose entries are the rows, and keys of other maps.
  const isBeside = base.at(-1) === '*' && base.slice(0, -1).every((step, index) => path[index] === step);
  if (!isBelow && (isBeside || steps.includes('@key'))) return undefined;
  return { steps, base: isEnvelope ? 'envelope' : isBelow ? 'row' : 'record' };
}

/** Scores the key of a row: like the first of the source's fields, it says what the row is about. */
function keyScore({ fields }: LogicalSource, field: string, { score }: ValueScore): number {
  if (fields[field]?.candidates.every((name) => name.startsWith('^'))) return 0;
  if (score >= telling) return 0.75;
  return Object.keys(fields).find((one) => one !== 'client') === field ? 0.6 : 0;
}

/** Returns a step without the prefix that the members of its object share. */
function withoutPrefix(
  { prefixes }: Sample,
  { path }: PathProfile,
  steps: readonly string[],
  index: number,
): string {
  const step = steps[index] ?? '';
  const known = prefixes.get(pathKey(path.slice(0, path.length - steps.length + index))) ?? [];
  const prefix = known.find((one) => step.toLowerCase().startsWith(`${one}_`));
  return prefix === undefined ? step : step.slice(prefix.length + 1);
}

function elementsOf({ profiles }: Sample, { path, arrays }: PathProfile): readonly Scalar[] {
  if (arrays === 0) return [];
  const start = JSON.stringify([...path, '[]']).slice(0, -1);
  return [...profiles.values()].flatMap((one) =>
    one.path.length <= path.length + 2 && pathKey(one.path).startsWith(start) ? one.values.slice(0, 50) : [],
  );
}

function filledShare({ profiles, base }: Sample, profile: PathProfile, of: PlaceBase): number {
  const rows = profiles.get(pathKey(of === 'row' ? base : []))?.filled ?? 0;
  return Math.min(profile.filled / Math.max(rows, 1), 1);
}

/** Combines the scores of name and values: either may be enough alone. A path that is rarely filled counts less. */
function together(name: number, { score, weight = 1 }: ValueScore, filled: number): number {
  if (name < 0.2 && score < 0.5) return score >= telling ? leastScore : 0;
  return (1 - (1 - 0.88 * name) * (1 - score)) * (0.85 + 0.15 * filled) * weight;
}

/** True for a version beside a list: it is the API's own. */
function isOfInterface({ isEnvelope }: Sample, { steps }: OwnPath): boolean {
  return isEnvelope && /^(?:api_?)?version$/i.test(steps.at(-1) ?? '');
}

/** Whole numbers are counts, not shares, whatever their range. */
const areWhole = (values: readonly Scalar[]) =>
  values.every((value) => /^\d+$/.test(String(value))) && values.some((value) => Number(value) > 1);

/** True for a frozen target and for its contents: both are expectations. */
function isFrozen({ profiles }: Sample, { path }: PathProfile): boolean {
  return path.some((_, index) => {
    const whole = path.slice(0, index + 1);
    if (!wordsOf(whole.at(-1) ?? '').some(({ concepts }) => concepts.includes('goal'))) return false;
    const start = pathKey(whole).slice(0, -1);
    return [...profiles.values()].some(
      (one) =>
        pathKey(one.path).startsWith(start) &&
        wordsOf(one.path.at(-1) ?? '').some(({ concepts }) => concepts.includes('frozen')),
    );
  });
}

function placeOf({ steps, base }: OwnPath, { readers }: ValueScore): Place {
  const each: readonly Step[] = readers.includes('count') ? [{ kind: 'each' }] : [];
  return { base, steps: [...steps.map(stepOf), ...each], readers };
}

function examplesOf({ values }: PathProfile): string[] {
  const examples = new Set<string>();
  for (const value of values) {
    examples.add(String(value));
    if (examples.size === 5) break;
  }
  return [...examples];
}
