// Scores how well the values of a path fit a field, with vetoes. Pure.
import type { Reader } from '../logical/reader-names.ts';
import { readAs } from '../logical/readers.ts';
import type { Expectation } from './expectations.ts';
import type { Neighbours } from './neighbours.ts';
import type { PathProfile, Scalar } from './profile.ts';
import { areDates, leastRead, readShare, type ValueScore } from './read-share.ts';
import { distinctShare, looksSo, meanLength, memory, type Shape, shareOf, shareThat } from './shapes.ts';

/** Scores from values, 0 to 1; `weight` is the factor on all evidence if they count against the field. */
const rules = {
  address: { score: 0.55, why: 'look like it, and little else does' },
  shaped: { score: 0.5, why: 'look like it' },
  agent: { score: 0.5, weight: 0.72, why: 'are what bots call themselves, with a version' },
  named: { score: 0.7, why: 'are words that the API uses for it' },
  twoLetters: { score: 0.3, why: 'look like it, but so does much else' },
  partlyShaped: { score: 0.3, why: 'partly look like it' },
  otherwise: { score: 0, weight: 0.72, why: 'look like something else, so only the name counts' },
  keys: { score: 0.75, why: 'are identifiers of the records that it refers to, and little else is' },
  likelyKeys: { score: 0.5, why: 'are identifiers of the records that it refers to' },
  clients: { score: 0.75, why: 'are names of the clients' },
  someKeys: { score: 0.4, why: 'are partly identifiers of the records that it refers to' },
  different: { score: 0.3, why: 'differ, as identifiers do' },
  alike: { score: 0.1, why: 'repeat more than identifiers do' },
  version: { score: 0, weight: 0.6, why: 'are numbers of versions' },
  figures: { score: 0, weight: 0.6, why: 'are numbers, where words are expected' },
  answers: { score: 0, weight: 0.6, why: 'are yes or no' },
  words: { score: 0, weight: 0.6, why: 'are single words, where a sentence is expected' },
  constant: { score: 0, weight: 0.6, why: 'never differ, like a version of the format' },
  few: { score: 0.15, why: 'are few and repeat, as labels do' },
  many: { score: 0, why: 'are many different ones, where few are expected' },
  text: { score: 0.05, why: 'are texts' },
  percent: { score: 0.3, why: 'have a percent sign' },
  share: { score: 0.15, why: 'are within 0 and 1, or 0 and 100' },
  score: { score: 0.15, why: 'are within 0 and 100' },
  whole: { score: 0.1, why: 'are whole numbers' },
  number: { score: 0.05, why: 'are numbers' },
  fraction: { score: 0.05, weight: 0.6, why: 'have fractions, where whole numbers are expected' },
  mixed: { score: 0, weight: 0.75, why: 'are numbers and words' },
  counted: { score: 0, weight: 0.75, why: 'are a list, whose elements are counted' },
  present: { score: 0, weight: 0.75, why: 'are present or missing, where yes or no is expected' },
  structure: { score: 0.2, why: 'are objects or lists' },
  list: { score: 0.25, why: 'are lists' },
  single: { score: 0, weight: 0.75, why: 'are single texts, where a list is expected' },
  date: { score: 0.25, why: 'are dates of the expected form' },
  inOrder: { score: 0.65, isInOrder: true, why: 'are days at even distances, as those of a series' },
  timed: { score: 0.15, why: 'are moments, where a date is expected' },
  flag: { score: 0.35, why: 'are yes or no' },
  shapedFlag: { score: 0.6, why: 'are words that affirm or deny it' },
  zeroOne: { score: 0.15, why: 'are 0 and 1' },
  absent: { score: 0.1, why: 'partly say that there is nothing' },
} as const;

const stated = memory<readonly Scalar[]>();
const numbers = memory<readonly number[]>();

/**
 * Returns undefined if the values cannot be the field's.
 * @param isWhole true if the field is a whole number, which its type does not say
 */
function numberScore(
  type: 'numeric' | 'score' | 'rate' | 'bigint',
  all: readonly Scalar[],
  isWhole: boolean,
): ValueScore | undefined {
  const values = withNumbers(all);
  const way = values.length * 5 < all.length ? undefined : wayOfNumbers(values);
  if (way === undefined) return undefined;
  if (way.read < leastRead) return { ...way, ...rules.mixed };
  const found = numbers(values, way.readers.join(' '), () =>
    values.flatMap((value) => {
      const number = Number(readAs('numeric', way.readers, value));
      return Number.isFinite(number) ? [number] : [];
    }),
  );
  const share = (fits: (value: number) => boolean) => found.filter(fits).length / Math.max(found.length, 1);
  // Seconds or milliseconds since 1970.
  if (share((value) => Number.isInteger(value) && isEpoch(value)) > 0.9) return undefined;
  if ((type !== 'bigint' && isSerial(found)) || areNumbersOfRows(found)) return undefined;
  if (type === 'bigint') return share(Number.isInteger) < leastRead ? undefined : { ...way, ...rules.whole };
  const most = Math.max(...found);
  const isOut = share((value) => value < 0 || value > 100) > 0.02;
  if (type === 'score') {
    if (isOut || (most <= 1 && found.some((value) => value > 0 && value < 1))) return undefined;
    // One and the same small number for all is a code.
    const isCode = found.length >= 5 && new Set(found).size === 1 && most < 10;
    return { ...way, ...(isCode ? rules.constant : rules.score) };
  }
  if (type === 'rate') {
    // Many of 0 and 1 are answers, no shares.
    if (isOut || (found.length >= 10 && share((value) => value === 0 || value === 1) === 1)) return undefined;
    const hasSign = values.some((value) => /%\s*$/.test(String(value)));
    const overOne = share((value) => value > 1);
    const isPercent = hasSign || overOne > 0.6;
    return {
      ...way,
      ...(hasSign ? rules.percent : rules.share),
      readers: isPercent ? [...way.readers, 'percent'] : way.readers,
      // A mix of shares and percentages.
      isAmbiguous: way.isAmbiguous || (!isPercent && overOne > 0.1 && found.length >= 5),
    };
  }
  return { ...way, ...(isWhole && share(Number.isInteger) < leastRead ? rules.fraction : rules.number) };
}

/** Minimum share of figures among words, as `nuevo` among movements; the name has to say the rest. */
const leastMixed = 0.4;

const isEpoch = (value: number) => (value > 1.4e9 && value < 2e9) || (value > 1.4e12 && value < 2e12);

function wayOfNumbers(values: readonly Scalar[]): Omit<ValueScore, 'score' | 'why'> | undefined {
  if (values.filter((value) => typeof value === 'boolean').length > 0.2 * values.length) return undefined;
  const asItIs = readShare('numeric', [], values);
  if (asItIs === 1) return { readers: [], read: asItIs, isAmbiguous: false };
  const comma = readShare('numeric', ['comma'], values);
  const point = readShare('numeric', ['point'], values);
  const best = Math.max(asItIs, comma, point);
  if (best < leastMixed) return undefined;
  if (asItIs === best) return { readers: [], read: asItIs, isAmbiguous: false };
  const thousands = comma === point ? thousandsOf(values) : undefined;
  if (thousands !== undefined) return { readers: [thousands], read: best, isAmbiguous: false };
  return { readers: [comma >= point ? 'comma' : 'point'], read: best, isAmbiguous: comma === point };
}

/** True for 1, 2, 3, …: row numbers, not figures. */
function isSerial(values: readonly number[]): boolean {
  const different = new Set(values);
  return (
    values.length > 10 &&
    different.size === values.length &&
    Math.max(...values) - Math.min(...values) === values.length - 1
  );
}

/** True for many different numbers of nearly one size, as `2001000`, `2001001`. */
const areNumbersOfRows = (values: readonly number[]) =>
  values.length > 10 &&
  new Set(values).size === values.length &&
  Math.max(...values) - Math.min(...values) < 0.01 * Math.min(...values);

/** Finds the thousands separator: three digits follow it everywhere, in enough different values. */
function thousandsOf(values: readonly Scalar[]): Reader | undefined {
  const signed = values.map(String).filter((value) => /[.,]/.test(value));
  const all = (sign: string) =>
    signed.every((value) => new RegExp(`^\\D*\\d{1,3}(?:[${sign}]\\d{3})+\\D*$`).test(value));
  if (new Set(signed).size < 4) return undefined;
  return all(',') ? 'point' : all('.') ? 'comma' : undefined;
}

/** Drops values that say that there is no number. */
const withNumbers = (values: readonly Scalar[]) =>
  stated(values, '', () => values.filter((value) => !looksSo('absence', value)));

/**
 * Undefined if these are not the field's values.
 * @param elements scalars in the path's arrays or in their objects
 */
export function valueScore(
  { type, ...expected }: Expectation,
  profile: PathProfile,
  neighbours: Neighbours,
  elements: readonly Scalar[],
): ValueScore | undefined {
  if (type === 'json') return structure(profile, expected.isList === true);
  const isText = type === 'text' || type === 'list' || type === 'presence';
  const isOther = isText && expected.refersTo === undefined && expected.isOfAnyone !== true;
  if (isOther && knownShare('clients.name', profile.values, neighbours) >= leastRead)
    return { ...plain, ...rules.clients, score: 0, isAnother: true };
  if (type === 'list') return list(expected, profile, elements);
  if (expected.isAbsence === true) return absence(profile.values);
  if (type === 'bigint' && profile.arrays >= leastRead * profile.filled && profile.filled > 0) {
    return { ...plain, ...rules.counted, readers: ['count'] };
  }
  const isNested = profile.arrays + profile.objects > 0.2 * profile.filled;
  if (type === 'presence' && isNested) return { ...plain, ...rules.present };
  if (isNested || profile.values.length === 0) return undefined;
  switch (type) {
    case 'date':
    case 'timestamptz':
      return dates(type, profile.values, expected.isInOrder === true);
    case 'boolean':
      return booleans(profile.values, expected.shape);
    case 'numeric':
    case 'score':
    case 'rate':
    case 'bigint':
      return numberScore(type, profile.values, expected.isWhole === true);
    case 'presence':
      return (
        texts(expected, profile, neighbours) ??
        (readShare('numeric', [], profile.values) < leastRead ? undefined : { ...plain, ...rules.present })
      );
    case 'text':
      return texts(expected, profile, neighbours);
  }
}

/** Shapes of values that the API lists (api.md, "States and values"). */
const enumerations: ReadonlySet<Shape> = new Set(['decision', 'class', 'demand_type', 'method']);

/** Shapes of two letters, which may mean much else. */
const weak: ReadonlySet<Shape> = new Set(['country', 'language']);

function ruleOf(shape: Shape, isStrict: boolean) {
  if (enumerations.has(shape)) return rules.named;
  if (weak.has(shape)) return rules.twoLetters;
  return isStrict ? rules.address : rules.shaped;
}

const plain = { readers: [], read: 1, isAmbiguous: false } as const;
function structure({ filled, objects, arrays }: PathProfile, isList: boolean): ValueScore | undefined {
  const fitting = isList ? arrays : objects + arrays;
  return fitting >= leastRead * filled && filled > 0 ? { ...plain, ...rules.structure } : undefined;
}

function list(
  { shape }: Omit<Expectation, 'type'>,
  profile: PathProfile,
  elements: readonly Scalar[],
): ValueScore | undefined {
  const isList = profile.arrays >= leastRead * profile.filled && profile.filled > 0;
  const { values } = profile;
  if (!isList && (values.length < profile.filled * leastRead || typeof values[0] !== 'string'))
    return undefined;
  if (!isList && readShare('numeric', [], values) + readShare('date', [], values) > 0.5) return undefined;
  const isParted = values.some((value) => /[,;|]/.test(String(value)));
  const isBare = !isList && !isParted && (shape === undefined || shareOf(shape, values) < 0.5);
  if (isBare) return { ...plain, ...rules.single };
  const shaped = shape === undefined ? 0 : 0.6 * shareOf(shape, isList ? elements : values);
  return isList && shaped <= rules.list.score
    ? { ...plain, ...rules.list }
    : { ...plain, ...rules.shaped, score: shaped };
}

function dates(
  type: 'date' | 'timestamptz',
  values: readonly Scalar[],
  isSeries: boolean,
): ValueScore | undefined {
  const ways = [[], ['dmy'], ['mdy']] as const;
  const shares = ways.map((readers) => readShare(type, readers, values));
  const [asItIs = 0, dayFirst = 0, monthFirst = 0] = shares;
  const timed = shareThat(values, 'has time', hasTime) > 0;
  if (type === 'timestamptz' && !timed) return undefined;
  const usual = type === 'date' && timed ? rules.timed : rules.date;
  const isOrdered =
    shareThat(values, 'is ordered', (value) => /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.test(String(value).trim())) >
    0;
  const rule = (readers: readonly Reader[]) =>
    isSeries && areInOrder(values, readers) ? rules.inOrder : usual;
  if (asItIs >= leastRead && !isOrdered) {
    return { ...rule([]), readers: [], read: asItIs, isAmbiguous: false };
  }
  const best = Math.max(dayFirst, monthFirst);
  if (best < leastRead) return undefined;
  const readers = [dayFirst >= monthFirst ? 'dmy' : 'mdy'] as const;
  return { ...rule(readers), readers, read: best, isAmbiguous: dayFirst === monthFirst };
}

/** True if most days follow the one before at the same distance; where the series of a record ends, another begins. */
function areInOrder(values: readonly Scalar[], readers: readonly Reader[]): boolean {
  const days = [...new Set(values)].map((value) => Date.parse(String(readAs('date', readers, value))));
  const distances = days.slice(1).map((day, index) => day - (days[index] ?? Number.NaN));
  const even = distances.filter((one) => one === distances[0]).length;
  return days.length > 3 && even > 0.7 * distances.length;
}

export const hasTime = (value: Scalar) =>
  typeof value === 'number' || /\d:\d|^\d{10,13}$/.test(String(value));

function booleans(values: readonly Scalar[], shape: Shape | undefined): ValueScore | undefined {
  const read = readShare('boolean', [], values);
  if (read < leastRead) return undefined;
  const isWord = values.every((value) => typeof value !== 'number');
  const isShaped = shape !== undefined && shareOf(shape, values) >= leastRead;
  const rule = isShaped ? rules.shapedFlag : isWord ? rules.flag : rules.zeroOne;
  return { ...rule, readers: [], read, isAmbiguous: false };
}

/** Scores numbers some of which say that there is none. */
function absence(values: readonly Scalar[]): ValueScore | undefined {
  const stated = withNumbers(values);
  const areOthers = stated.length > 0 && wayOfNumbers(stated) === undefined;
  return areOthers || stated.length === values.length ? undefined : { ...plain, ...rules.absent };
}

function knownShare(of: string, values: readonly Scalar[], { keysOf }: Neighbours): number {
  const keys = keysOf(of);
  return values.length === 0 ? 0 : shareThat(values, `keys of ${of}`, (value) => keys.has(String(value)));
}

const isSpan = (value: Scalar) =>
  /^(?!\d{4,}$).*\d|d[ií]a|day|seman|week|mes|month|trimest|quarter|año|year|hoy|today/i.test(String(value));
const isSpaced = (value: Scalar) => /\S\s+\S/.test(String(value));

function texts(
  expected: Omit<Expectation, 'type'>,
  { values }: PathProfile,
  neighbours: Neighbours,
): ValueScore | undefined {
  const { keysOf } = neighbours;
  const isFlag = shareThat(values, 'is boolean', (value) => typeof value === 'boolean') > 0.5;
  const saysYes = expected.shape === 'availability' && readShare('boolean', [], values) >= leastRead;
  if ((isFlag || saysYes) && expected.isLabel === true) return undefined;
  if (expected.refersTo !== undefined) {
    const known = knownShare(expected.refersTo, values, neighbours);
    const areClients = expected.refersTo === 'clients.name';
    const rule = areClients ? rules.clients : expected.isStrict === true ? rules.keys : rules.likelyKeys;
    if (known >= leastRead) return { ...plain, ...rule, areKeys: true };
    // Not all clients that left are known.
    if (known >= 0.2 && !areClients) return { ...plain, ...rules.someKeys };
    if (expected.isStrict === true && keysOf(expected.refersTo).size > 0) return undefined;
  }
  const clients = expected.isOfClient === true ? keysOf('clientes').size : 0;
  if (clients > 0 && new Set(values).size > clients + 1) return { ...plain, ...rules.many, isAnother: true };
  // One and the same text everywhere is a remark, and no record's question.
  if (
    expected.shape === 'question' &&
    values.length >= 10 &&
    new Set(values).size === 1 &&
    shareOf('question', values) < leastRead
  )
    return { ...plain, ...rules.constant };
  if (expected.shape !== undefined) {
    // USD is no country, although it has three letters.
    if (expected.shape === 'country' && shareOf('currency', values) > 0.5) return undefined;
    const share = shareOf(expected.shape, values);
    const isAgent =
      expected.shape === 'bot' &&
      shareThat(values, 'has a slash', (value) => String(value).includes('/')) > 0.5;
    if (share >= leastRead)
      return { ...plain, ...(isAgent ? rules.agent : ruleOf(expected.shape, expected.isStrict === true)) };
    if (share > 0.4) return { ...plain, ...rules.partlyShaped };
    // Only the field's own name outweighs that.
    if (expected.isStrict === true) {
      // No address has blanks.
      const areSentences = expected.shape === 'url' && shareThat(values, 'is spaced', isSpaced) > 0.5;
      return areSentences ? undefined : { ...plain, ...rules.otherwise };
    }
  }
  const isText = shareThat(values, 'is text', (value) => typeof value === 'string');
  if (expected.isIdentifier === true) {
    if (values.length > 20 && distinctShare(values) < 0.3) return undefined;
    if (expected.refersTo === undefined && shareOf('url', values) > 0.5) return undefined;
    if (shareThat(values, 'has a fraction', (value) => /^-?\d+[.,]\d+$/.test(String(value))) > 0.5)
      return undefined;
    return { ...plain, ...(distinctShare(values) > 0.95 ? rules.different : rules.alike) };
  }
  const numeric = readShare('numeric', [], values);
  const foreign = Math.max(shareOf('uuid', values), shareOf('hash', values), shareOf('email', values));
  if (foreign > 0.5 || areDates(values)) return undefined;
  if (shareOf('version', values) > 0.5) return { ...plain, ...rules.version };
  if (expected.shape !== 'url' && shareOf('url', values) > 0.5) return undefined;
  const anothers = { ...plain, ...rules.many, isAnother: true };
  if (expected.isSpan === true && shareThat(values, 'is a span', isSpan) < leastRead) return anothers;
  const isNumbered = expected.mayBeNumber === true && values.every((value) => Number(value) % 1 === 0);
  const numbered = isNumbered ? { ...plain, ...rules.many } : anothers;
  if (isText < 0.5) return expected.isLabel === true ? numbered : undefined;
  if (numeric > leastRead) {
    if (expected.isLabel === true) return numbered;
    return expected.isLong === true ? undefined : { ...plain, ...rules.figures };
  }
  // Yes and no are answers, not names.
  if (expected.isLabel !== true && shareOf('availability', values) > leastRead)
    return { ...plain, ...rules.answers };
  const spaced = shareThat(values, 'is spaced', isSpaced);
  const areSentences = spaced > 0.9 && meanLength(values) > 30;
  if (expected.shape === 'availability' && areSentences) return anothers;
  // A few words prove nothing.
  const isWorded = expected.isSentence === true || expected.isLong === true || expected.shape === 'question';
  if (isWorded && values.length >= 5 && spaced < 0.5) return { ...plain, ...rules.words };
  if (expected.isLong === true)
    return { ...plain, ...rules.text, score: 0.1 + 0.35 * Math.min(meanLength(values) / 400, 1) };
  if (expected.isLabel === true) {
    const different = new Set(values).size;
    // A value that never differs is about the record's form: `"type": "measurement"`.
    if (expected.isForm === true && different === 1 && values.length >= 5)
      return { ...plain, ...rules.constant };
    // Values that always differ are no labels, but names or somebody's words; nor are sentences.
    if (values.length >= 10 && distinctShare(values) > 0.9) return anothers;
    if (areSentences) return anothers;
    return { ...plain, ...(different <= Math.max(12, values.length * 0.15) ? rules.few : rules.many) };
  }
  return { ...plain, ...rules.text };
}
