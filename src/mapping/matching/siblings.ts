// Tells what a path is by the fields beside it, in the same object. Pure.
import { nameWords } from '../../streams/identifier-paths.ts';
import type { LogicalSource, LogicalType } from '../logical/logical-source.ts';
import { type Expectation, expectationOf } from './expectations.ts';
import { isNamedSo, moments, numbers, saysCurrent, saysEarlier, saysLittle } from './name-score.ts';
import { wordsOf } from './name-words.ts';
import { type PathProfile, type Profiles, pathKey, type Scalar } from './profile.ts';
import { areDates, leastRead, readShare } from './read-share.ts';
import { shareOf } from './shapes.ts';

interface Around {
  readonly profiles: Profiles;
  /** Path of the rows; empty if the records are the rows. */
  readonly base: readonly string[];
}

const leafOf = ({ path }: PathProfile) => path.at(-1) ?? '';
const snake = (profile: PathProfile) => nameWords(leafOf(profile)).join('_');

/** Returns the fields of the same object, the one itself included. */
function siblingsOf(profiles: Profiles, { path }: PathProfile): PathProfile[] {
  const around = pathKey(path.slice(0, -1));
  return [...profiles.values()].filter((one) => pathKey(one.path.slice(0, -1)) === around);
}

const siblingAt = (profiles: Profiles, { path }: PathProfile, name: string) =>
  profiles.get(pathKey([...path.slice(0, -1), name]));

/**
 * Finds codes and labels that say one thing: `tipo` beside `tipo_display`, `est_med` beside `desc_est`. Returns the keys
 * of those that are not to be shown: labels, unless only they are words or they fit better.
 */
export function saidTwice(
  { profiles }: Around,
  scores: ReadonlyMap<string, number>,
  { shape, isLabel = false }: Expectation,
): ReadonlySet<string> {
  const isOfShape = (values: readonly Scalar[]) => shape !== undefined && shareOf(shape, values) >= leastRead;
  const left = [...scores].flatMap(([key, score]) => {
    const label = profiles.get(key);
    const code = label && codeOf(profiles, label, isLabel);
    if (label === undefined || code === undefined) return [];
    const isCode = !areWords(code.values) && !isOfShape(code.values);
    const own = pathKey(code.path);
    return [(isCode && areWords(label.values)) || score > (scores.get(own) ?? 0) ? own : key];
  });
  return new Set(left);
}

const areWords = (values: readonly Scalar[]) => values.some((value) => /\p{Ll}{3}/u.test(String(value)));

const labelName = /^(?:descripcion|description|nombre|name|label|etiqueta)$/;
const codeName = /^(?:codigo|code|cod|clave|key)$/;

/** True for the code or the label of an object with both: its name is that of the object. */
export const isCodeOrLabel = ({ profiles }: Around, profile: PathProfile): boolean =>
  besideIn(profiles, profile) !== undefined;

/** Returns the label beside a code or the code beside a label, in an object of both, one to one. */
function besideIn(profiles: Profiles, profile: PathProfile): PathProfile | undefined {
  const name = snake(profile);
  const other = labelName.test(name) ? codeName : codeName.test(name) ? labelName : undefined;
  return siblingsOf(profiles, profile).find(
    (one) => other?.test(snake(one)) === true && areOneToOne(one, profile),
  );
}

const areOneToOne = (one: PathProfile, other: PathProfile) =>
  new Set(one.values).size === new Set(other.values).size;

/** True for `dimension.label` and `corte_nombre` where the rest names another label: it tells what that one is. */
export function isLabelOfOther(
  { profiles, source, base }: Around & { readonly source: LogicalSource },
  field: string,
  profile: PathProfile,
): boolean {
  const [, of = ''] = /^(.+?)_?(?:label|etiqueta|rotulo|nombre|name)$/i.exec(leafOf(profile)) ?? [];
  const isNested =
    profile.path.length > base.length + 1 && /^(?:label|etiqueta|rotulo)$/i.test(leafOf(profile));
  const code = siblingAt(profiles, profile, of);
  if (!isNested && (code === undefined || !areOneToOne(code, profile))) return false;
  const said = wordsOf(isNested ? (profile.path.at(-2) ?? '') : of).map(({ text }) => text);
  const isNamed = (one: string) =>
    (source.fields[one]?.candidates ?? []).flatMap(wordsOf).some(({ text }) => said.includes(text));
  const isOther = (one: string) => expectationOf(source, one).isLabel === true && isNamed(one);
  return !isNamed(field) && Object.keys(source.fields).some(isOther);
}

/**
 * Returns the code that a label stands beside; undefined if it is no label, or several may be its code.
 * @param isLabel true if `{ codigo, descripcion }` would be one thing as well
 */
function codeOf(profiles: Profiles, label: PathProfile, isLabel: boolean): PathProfile | undefined {
  const name = snake(label);
  if (isLabel && labelName.test(name)) return besideIn(profiles, label);
  const [, base] =
    /^(?:desc|txt|label|etiqueta)_(.+)$/.exec(name) ??
    /^(.+)_(?:display|label|etiqueta|rotulo)$/.exec(name) ??
    [];
  if (base === undefined) return undefined;
  const beside = siblingsOf(profiles, label).filter((one) => one.values.length > 0 && snake(one) !== name);
  const exact = beside.find((one) => snake(one) === base);
  const [only, ...others] = beside.filter((one) => snake(one).startsWith(`${base}_`));
  return exact ?? (others.length === 0 ? only : undefined);
}

const saysCreated = (name: string) =>
  /^(?:fecha_)?(?:created|inserted|creado|creada|creacion|row_ins|ins)(?:_|$)/.test(name);
const saysUpdated =
  /^(?:(?:updated|actualizad[oa])_(?:at|en|el)|published_at|(?:modified|modificad[oa])(?:_(?:at|en|el))?)$/;

/**
 * True for the moments that a row of a database bears: they are not those of what it tells. Of `created_at` where another
 * moment stands beside it, of `updated_at` and `published_at` where `created_at` does.
 */
export function isOfRow({ profiles }: Around, field: string, profile: PathProfile): boolean {
  const name = snake(profile);
  const isCreated = saysCreated(name);
  if ((!isCreated && !saysUpdated.test(name)) || field === 'created' || field === 'updated') return false;
  return siblingsOf(profiles, profile).some((one) =>
    isCreated ? one !== profile && areDates(one.values) : saysCreated(snake(one)),
  );
}

/**
 * True for the type of what an identifier beside it refers to: `subject_type` beside `subject_id`.
 * @param names names of the field and of its source, whose own type it may be
 */
export function isTypeOfReference({ profiles }: Around, names: readonly string[], profile: PathProfile) {
  const [, of] = /^(.+)_type$/.exec(snake(profile)) ?? [];
  if (of === undefined || isNamedSo(names, of)) return false;
  return siblingsOf(profiles, profile).some((one) => snake(one) === `${of}_id`);
}

/** True if a name along the path says cents. */
export const isInCents = ({ path }: PathProfile): boolean =>
  path.some((step) =>
    /(?:^|_)(?:cents?|centimos?|centavos?|minor(?:_units?)?)$/.test(nameWords(step).join('_')),
  );

/** True for an amount in a currency that has no cents. */
export const hasNoCents = ({ profiles }: Around, profile: PathProfile): boolean =>
  siblingsOf(profiles, profile).some(({ values }) =>
    [...new Set(values)].some((value) => isCurrencyCode(value) && digitsOf(String(value)) === 0),
  );

const isCurrencyCode = (value: Scalar) => /^[A-Z]{3}$/.test(String(value));
const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

/**
 * True for a question whose canonical form the record has too, where that is asked for: `prompt` beside `canonical`, or
 * with `question.canonical`.
 */
export function isLessCanonical({ profiles }: Around, names: readonly string[], profile: PathProfile) {
  const [wanted = ''] = names;
  const says = (key: string) => wordsOf(key).some(({ concepts }) => concepts.includes('canonical'));
  if (!says(wanted) || says(leafOf(profile))) return false;
  const beside = siblingsOf(profiles, profile);
  return [...profiles.values()].some((one) => {
    const isOfIt = beside.includes(one) || isNamedSo(names, one.path.at(-2) ?? '');
    return isOfIt && says(leafOf(one)) && one.values.some((value) => /\S\s+\S/.test(String(value)));
  });
}

/** Returns the end of a range, such as `{ de: 1, a: 3 }`, that the path is. */
export function endOfRange({ profiles }: Around, profile: PathProfile): string | undefined {
  const hasBoth = ['de', 'a'].every((end) => siblingAt(profiles, profile, end) !== undefined);
  return hasBoth ? { de: 'desde', a: 'hasta' }[leafOf(profile)] : undefined;
}

/**
 * True for the only figure or moment of an object, under a name that says nothing else: `observed: { n: 12 }`; and for
 * what a thing is now, whatever it was: `rank: { curr: 61, prev: 58 }`.
 */
export function isLone({ profiles, base }: Around, profile: PathProfile, type: LogicalType): boolean {
  const { path } = profile;
  if (path.length >= base.length + 2 && saysCurrent(leafOf(profile))) return true;
  const reading = numbers.has(type) ? 'numeric' : moments.has(type) ? 'date' : undefined;
  if (reading === undefined || path.length !== base.length + 2 || !saysLittle(leafOf(profile))) return false;
  const alike = siblingsOf(profiles, profile).filter(
    (one) =>
      one.values.length > 0 && !saysEarlier(leafOf(one)) && readShare(reading, [], one.values) >= leastRead,
  );
  return alike.length === 1;
}

/** True for `type` beside `attributes`, which names the resource (JSON:API), and for `@type`. */
export function isEnvelopeType({ profiles }: Around, profile: PathProfile): boolean {
  const isBeside = siblingAt(profiles, profile, 'attributes') !== undefined;
  return /^@(?:type$|odata)/.test(leafOf(profile)) || (leafOf(profile) === 'type' && isBeside);
}

const times = '(?:s|secs?|seconds?|seg|segundos?|mins?|minutes?|minutos?|hours?|horas?|dias|days)';
const endsInTime = new RegExp(`(?:^|_)${times}$`);
const isTime = new RegExp(`^${times}$`);

/**
 * True for seconds where milliseconds are expected; and, where no time is, for a number that is named by its unit alone
 * (`dias`) and for the figure of `{ valor: 28, unidad: 'dias' }`.
 */
export function isOtherUnit(
  { profiles, base }: Around,
  field: string,
  type: LogicalType,
  profile: PathProfile,
): boolean {
  const name = snake(profile);
  if (field.endsWith('_ms')) return endsInTime.test(name);
  if (!numbers.has(type) || field.endsWith('_days')) return false;
  // `min` is the lower end of a range, too.
  if (isTime.test(name) && !/^(?:s|mins?)$/.test(name)) return true;
  // `plazo_dias`; `visitas_28_dias` are visits.
  if (/[a-z]_(?:dias|days|horas|hours)$/.test(name)) return true;
  if (profile.path.length < base.length + 2 || !saysLittle(leafOf(profile))) return false;
  const units = ['unidad', 'unit'].flatMap((name) => siblingAt(profiles, profile, name)?.values ?? []);
  return units.length > 0 && units.every((unit) => isTime.test(nameWords(String(unit)).join('_')));
}
