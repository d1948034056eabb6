// Finds the fields of a logical source in a sample of its records, by values and names. Gives each path to one field,
// and takes only what is clearly better than the next. Pure.
import { type LogicalSource, rowsField } from '../logical/logical-source.ts';
import {
  another,
  type Candidate,
  candidateAt,
  candidatesFor,
  type Found,
  isSame,
  profilePath,
  type Sample,
} from './candidates.ts';
import { mayShare, otherReadings } from './expectations.ts';
import {
  isClear,
  type Mapping,
  type Match,
  mostProposals,
  plain,
  type SampleRecord,
  sure,
  worthAsking,
} from './match.ts';
import { matchEnvelope } from './match-envelope.ts';
import type { Neighbours } from './neighbours.ts';
import { isOfOtherPart, officialOf } from './official.ts';
import { pathKey, profileRecords } from './profile.ts';
import { commonPrefixes, otherReading, type Rows, rowPlaces, worthOfName } from './rows.ts';
import { hasTime } from './value-score.ts';

/** Minimum score of a field's own path, if it could also be read from another field's path. */
const leastOfItsOwn = 0.4;

const nothing: Match = { found: [], proposals: new Map() };

export function matchSource(
  source: LogicalSource,
  records: readonly SampleRecord[],
  neighbours: Neighbours,
  mapping: Mapping,
): Match {
  const match = matchRecords(
    source,
    sampleOf(
      source,
      records.map(({ record }) => record),
      neighbours,
    ),
    mapping,
  );
  if (source.envelope || !hasRows(source, match, mapping)) return match;
  return matchEnvelope(envelopeSample(source, records, neighbours), match, mapping);
}

function sampleOf(source: LogicalSource, values: readonly unknown[], neighbours: Neighbours): Sample {
  const profiles = profileRecords(values);
  return { source, profiles, prefixes: commonPrefixes(profiles), base: [], neighbours, isEnvelope: false };
}

function envelopeSample(
  source: LogicalSource,
  records: readonly SampleRecord[],
  neighbours: Neighbours,
): Sample {
  const envelopes = new Set(records.map(({ envelope }) => envelope));
  return { ...sampleOf(source, [...envelopes], neighbours), isEnvelope: true };
}

/** Returns all candidate paths of a field, likeliest first; none if the source's rows are not found. */
export function weighIn(
  source: LogicalSource,
  records: readonly SampleRecord[],
  neighbours: Neighbours,
  { field, rows }: { readonly field: string; readonly rows: string | undefined },
): Candidate[] {
  const sample = sampleOf(
    source,
    records.map(({ record }) => record),
    neighbours,
  );
  const base = rowPlaces(sample.profiles).find(({ path }) => path === rows)?.base ?? [];
  const samples = [
    { ...sample, base },
    ...(source.envelope ? [] : [envelopeSample(source, records, neighbours)]),
  ];
  return samples
    .flatMap((sample) => candidatesFor(sample, field, undefined))
    .sort((a, b) => b.score - a.score);
}

/** True if the rows are known; without them nothing is known of their fields. */
function hasRows({ rows }: LogicalSource, { found }: Match, { overrides }: Mapping): boolean {
  return (
    rows === undefined ||
    typeof overrides.get(rowsField) === 'string' ||
    found.some(({ field }) => field === rowsField)
  );
}

function matchRecords(source: LogicalSource, sample: Sample, mapping: Mapping): Match {
  const { profiles } = sample;
  if (source.rows === undefined) return matchFields(sample, mapping);
  const overrides = mapping.overrides.get(rowsField);
  if (overrides === null) return nothing;
  const places = rowPlaces(profiles);
  const named = places.filter((rows) =>
    overrides === undefined ? isLikelyNamed(source, rows) : rows.path === overrides,
  );
  const isSeries = named.length === 0 && overrides === undefined;
  if (isSeries) named.push(...onlySeries(source, sample, places));
  const isNamed = named.length > 0 || overrides !== undefined;
  const judged = (isNamed ? named : places)
    .map((rows) => {
      const match = matchFields({ ...sample, base: rows.base }, mapping);
      return { rows, match, worth: worthOf(source, rows, match, isSeries || places.length === 1) };
    })
    .sort((a, b) => b.worth - a.worth);
  const [best, next] = judged;
  if (best === undefined) return nothing;
  const row = ({ rows, worth }: (typeof judged)[number]): Found => ({
    field: rowsField,
    path: rows.path,
    score: Math.round(Math.min(worth / 3, 1) * 1000) / 1000,
    filled: 1,
    read: 1,
    examples: [],
  });
  if (overrides !== undefined) return best.match;
  const bonus = mapping.current.get(rowsField) === best.rows.path ? 0.5 : 0;
  if (isNamed && best.worth + bonus >= 1.2 && best.worth + bonus - (next?.worth ?? 0) >= 0.3) {
    return { ...best.match, found: [row(best), ...best.match.found] };
  }
  const asked = judged.filter(({ worth }) => worth > (isNamed ? 0 : 1.2)).slice(0, mostProposals);
  return asked.length === 0 ? nothing : { ...nothing, proposals: new Map([[rowsField, asked.map(row)]]) };
}

function isLikelyNamed(source: LogicalSource, rows: Rows): boolean {
  return !source.rowsNamed || worthOfName(source, rows) >= leastOfItsOwn;
}

/** Returns the only array whose elements are days in order, where a series is looked for and no name says which. */
function onlySeries(source: LogicalSource, sample: Sample, places: readonly Rows[]): readonly Rows[] {
  if (source.fields['date'] === undefined) return [];
  const series = places.filter(({ base }) =>
    candidatesFor({ ...sample, base }, 'date', undefined).some((one) => one.isInOrder),
  );
  return series.length === 1 ? series : [];
}

/** Scores an array as the rows of a source, by its name and by the fields found in it. */
function worthOf(source: LogicalSource, rows: Rows, match: Match, isOnly: boolean): number {
  const own = match.found.filter(({ path }) => !path.startsWith('^'));
  const below = own.reduce((sum, { score }) => sum + score, 0);
  return below === 0 ? 0 : below + worthOfName(source, rows) + (isOnly ? 0.6 : 0);
}

/** Fields that are taken so far, and those to ask about. */
interface Settled {
  readonly found: Found[];
  readonly proposals: Map<string, readonly Found[]>;
}

function matchFields(sample: Sample, mapping: Mapping): Match {
  const { overrides, current } = mapping;
  const all = Object.keys(sample.source.fields)
    .filter((field) => !overrides.has(field) && isAsked(sample.source, field))
    .flatMap((field) => candidatesFor(sample, field, current.get(field)))
    .sort((a, b) => b.score - a.score);
  const settled: Settled = { found: [], proposals: new Map() };
  takeOrAsk(sample, all, mapping, settled);
  takeOfficial(sample, settled);
  askAboutOthers(sample, mapping, settled);
  takeOtherReadings(sample, all, overrides, settled);
  const { found, proposals } = settled;
  for (const [field, left] of leftOver(sample, all, found, proposals)) proposals.set(field, left.map(plain));
  return { found, proposals: withoutHeld(sample, proposals, found) };
}

/** Takes what is clearly better than the next, and asks about what may be right. */
function takeOrAsk(
  { source }: Sample,
  all: readonly Candidate[],
  { overrides, current }: Mapping,
  { found, proposals }: Settled,
): void {
  const order = Object.keys(source.fields);
  const best = assign(all, overrides);
  for (const own of best.values()) {
    const type = source.fields[own.field]?.type;
    // A date is a day of its own, which a moment in another zone is not.
    const mayBeTwin = type === 'timestamptz' && own.path !== current.get(own.field);
    const candidate = (mayBeTwin && twinOf(own, all, best, order)) || own;
    const others = all.filter(
      (one) => one.field === candidate.field && one.key !== candidate.key && !isHeld(one, best),
    );
    const rival = others.find((one) => !isSame(candidate, one));
    const next = rival?.score ?? 0;
    // Another field's moment is also this one's, unless it may have a day of its own.
    const hasDay = rival !== undefined && next >= leastOfItsOwn && !rival.examples.some(hasTime);
    const isBorrowed = hasDay && isHeld(candidate, best);
    const moments = type === 'date' ? momentsBeside(candidate, all) : [];
    const isUnsure = candidate.isAmbiguous || isBorrowed || moments.length > 0;
    if (candidate.score >= sure && isClear(candidate.score, next) && !isUnsure) {
      found.push(plain(candidate));
    } else if (candidate.score >= worthAsking) {
      const apart = others.filter((one) => one.score >= worthAsking && !moments.includes(one));
      const asked = isBorrowed ? [...apart, candidate] : [candidate, ...moments, ...apart];
      proposals.set(candidate.field, asked.flatMap(bothReadings).slice(0, mostProposals));
    }
  }
}

/** Takes the official method's part for fields that the body only gives per method. */
function takeOfficial(sample: Sample, { found, proposals }: Settled): void {
  for (const candidate of officialOf(sample, found)) {
    if (isAskedElsewhere(proposals.get(candidate.field), found)) continue;
    found.push(plain(candidate));
    proposals.delete(candidate.field);
  }
}

/** Asks about what was found in the part of another measurement, or holds other fields. */
function askAboutOthers(
  sample: Sample,
  { overrides, current }: Mapping,
  { found, proposals }: Settled,
): void {
  const places = [...found, ...overridePlaces(overrides)];
  const claimed = new Set(places.map(({ path }) => pathKey(profilePath(sample, path))));
  const figures = [...places, ...[...proposals.values()].flat()];
  for (const one of [...found]) {
    const isOthers = isOfOtherPart(sample, one, figures, claimed) || holdsOthers(sample, one, found);
    if (current.get(one.field) === one.path || !isOthers) continue;
    found.splice(found.indexOf(one), 1);
    proposals.set(one.field, [{ ...one, score: one.score * another }]);
  }
}

/** Takes another field's path for a field that reads it otherwise: the day of a moment, the words of a figure. */
function takeOtherReadings(
  sample: Sample,
  all: readonly Candidate[],
  overrides: Mapping['overrides'],
  { found, proposals }: Settled,
): void {
  for (const [field, of] of otherReadings) {
    const given = overrides.get(of) ?? undefined;
    const one = given === undefined ? found.find((other) => other.field === of) : { path: given, score: 1 };
    const isOpen = sample.source.fields[field] !== undefined && !overrides.has(field);
    const ownPath = proposals.get(field)?.[0]?.path ?? one?.path;
    if (one === undefined || !isOpen || ownPath !== one.path || found.some((other) => other.field === field))
      continue;
    const same = all.find((candidate) => candidate.field === field && candidate.path === one.path);
    const reading = same ?? candidateAt(sample, field, one.path);
    if (reading === undefined) continue;
    found.push({ ...plain(reading), score: one.score });
    proposals.delete(field);
  }
}

/** Returns the path of an earlier field that is another reading of the same value, unless its own is clearly better. */
function twinOf(
  { field, key, score }: Candidate,
  all: readonly Candidate[],
  best: ReadonlyMap<string, Candidate>,
  order: readonly string[],
): Candidate | undefined {
  const isTwin = (one: Candidate) =>
    [...best.values()].some(
      (other) =>
        other.key === one.key &&
        mayShare(other.field, field) &&
        order.indexOf(other.field) < order.indexOf(field),
    );
  const twin = all.find((one) => one.field === field && one.key !== key && one.score >= sure && isTwin(one));
  return twin === undefined || isClear(score, twin.score) ? undefined : twin;
}

/** True for an object below which other fields were found: `attributes` of a resource. */
function holdsOthers({ source }: Sample, { field, path }: Found, found: readonly Found[]): boolean {
  const below = found.filter((one) => one.path.startsWith(`${path}.`) && !one.field.startsWith(field));
  return source.fields[field]?.type === 'json' && below.length > 1;
}

/** Drops proposed paths that another field has. */
function withoutHeld(
  sample: Sample,
  proposals: ReadonlyMap<string, readonly Found[]>,
  found: readonly Found[],
): ReadonlyMap<string, readonly Found[]> {
  const keyOf = ({ path }: Found) => pathKey(profilePath(sample, path));
  const holders = new Map(found.map((one) => [keyOf(one), one.field]));
  const isOpen = (field: string, one: Found) => {
    const holder = holders.get(keyOf(one));
    return holder === undefined || holder === field || mayShare(holder, field);
  };
  const left = [...proposals].map(
    ([field, asked]) => [field, asked.filter((one) => isOpen(field, one))] as const,
  );
  return new Map(left.filter(([, asked]) => asked.length > 0));
}

const overridePlaces = (overrides: Mapping['overrides']) =>
  [...overrides].flatMap(([field, path]) => (path === null ? [] : [{ field, path }]));

/** Returns paths for fields that no name fits, if values fit, the paths are free, and there are few. */
function leftOver(
  { source }: Sample,
  all: readonly Candidate[],
  found: readonly Found[],
  proposals: ReadonlyMap<string, readonly Found[]>,
): [string, Candidate[]][] {
  const claimed = new Set(
    [...found, ...[...proposals.values()].flatMap((list) => list.slice(0, 1))].map((one) => one.path),
  );
  const open = [...new Set(all.map(({ field }) => field))].filter(
    (field) => !proposals.has(field) && !found.some((one) => one.field === field),
  );
  return open.flatMap((field): [string, Candidate[]][] => {
    const type = source.fields[field]?.type;
    const left = all.filter((one) => one.field === field && !claimed.has(one.path) && one.isTelling);
    const rivals = open.filter((other) => source.fields[other]?.type === type);
    return left.length > 0 && left.length + rivals.length <= 3 ? [[field, left]] : [];
  });
}

/** True if the field may have a path of its own, which is asked about. */
function isAskedElsewhere(asked: readonly Found[] | undefined, found: readonly Found[]): boolean {
  const [first] = asked ?? [];
  return first !== undefined && !found.some(({ path }) => path === first.path);
}

/** False for the client of a client's own record, which has no field for it. */
function isAsked({ stream }: LogicalSource, field: string): boolean {
  return field !== 'client' || stream !== 'clientes';
}

/** Gives each path to the field that it fits best, unless two fields are readings of one value. */
function assign(
  all: readonly Candidate[],
  overrides: ReadonlyMap<string, string | null>,
): ReadonlyMap<string, Candidate> {
  const best = new Map<string, Candidate>();
  const isSaid = ({ path, field }: Candidate) =>
    [...overrides].some(([other, given]) => given === path && !mayShare(other, field));
  for (const candidate of all) {
    if (best.has(candidate.field) || isSaid(candidate) || isAnothers(candidate, best)) continue;
    best.set(candidate.field, candidate);
  }
  return best;
}

/** True if another field has the path and the two are not readings of one value. */
function isAnothers(candidate: Candidate, best: ReadonlyMap<string, Candidate>): boolean {
  return [...best.values()].some(
    (one) =>
      (one.key === candidate.key || (one.whole !== undefined && one.whole === candidate.whole)) &&
      one.field !== candidate.field &&
      !mayShare(one.field, candidate.field),
  );
}

/** True if another field fits the path as well or better: then it is no alternative, shared or not. */
function isHeld({ key, field, score }: Candidate, best: ReadonlyMap<string, Candidate>): boolean {
  return [...best.values()].some((one) => one.key === key && one.field !== field && one.score >= score);
}

/** Returns moments beside a day whose name says no more than theirs: one of them may be what is meant. */
function momentsBeside({ field, key, name }: Candidate, all: readonly Candidate[]): readonly Candidate[] {
  if (name >= 0.6) return [];
  const alike = all.filter((one) => one.field === field && one.key !== key && one.name > name - 0.2);
  return alike.filter((one) => !one.isAnother && one.examples.some(hasTime));
}

/** Returns both readings of a candidate whose values fit two, so that both are asked about. */
function bothReadings(candidate: Candidate): Found[] {
  const one = plain(candidate);
  const other = candidate.isAmbiguous ? otherReading(one.path) : undefined;
  return other === undefined ? [one] : [one, { ...one, path: other }];
}
