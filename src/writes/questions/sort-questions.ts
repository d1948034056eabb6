// Every question of some files goes to one place: sent, or left out with the reason. Pure.
import { createHash } from 'node:crypto';
import type { QuestionFile, UnreadPlace } from './read-questions.ts';

/** @param text as `judgeQuestion` gives it */
export function questionKey(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
}

/** SHA-256 of the key: all that stays of a question once it is accepted. */
export function questionHash(text: string): Buffer {
  // A text of punctuation alone has no key of its own.
  return createHash('sha256')
    .update(questionKey(text) || text)
    .digest();
}

/**
 * Whether a text can be sent as a question (api.md, "Write routes"). The service does not say how it counts characters,
 * so the bounds hold for code units, code points and what people see as one character. Pure.
 */
const shortestQuestion = 8;
const longestQuestion = 300;

type JudgedQuestion =
  /** As it is sent: composed (NFC), runs of blanks and line breaks as one blank, none at the ends. */
  { readonly kind: 'fine'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

export function judgeQuestion(raw: string): JudgedQuestion {
  const text = raw.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const foreign = /[\p{Cc}\p{Cs}\ufffd]/u.exec(text)?.[0];
  if (foreign !== undefined) return { kind: 'refused', reason: `holds ${named(foreign)}` };
  const codePoints = [...text].length;
  // What people see as one character is at least one code point, and that at least one code unit.
  const seen = text.length > longestQuestion ? codePoints : [...segmenter.segment(text)].length;
  if (seen < shortestQuestion) {
    return { kind: 'refused', reason: `${seen} characters, at least ${shortestQuestion} are needed` };
  }
  if (text.length <= longestQuestion) return { kind: 'fine', text };
  const counted = codePoints > longestQuestion ? codePoints : text.length;
  const how =
    codePoints > longestQuestion ? '' : ' where emoji and the like count twice, as some programs count';
  return { kind: 'refused', reason: `${counted} characters${how}, at most ${longestQuestion} are taken` };
}

function named(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  if (character === '\ufffd') return `U+${code}, which stands for what could not be read`;
  return character < '\u00a0' ? `the control character U+${code}` : `half a character (U+${code})`;
}

/**
 * What in a question may tell who somebody is: addresses, numbers to call, numbers of documents and of accounts. Names of
 * people are not found. Rather too much than too little: who asks gets the line, and decides. Pure.
 */
type PersonalData = 'an e-mail address' | 'an IBAN' | 'a phone number' | 'a long number';

interface Shape {
  readonly kind: PersonalData;
  readonly pattern: RegExp;
  readonly fewestDigits: number;
}

const shapes: readonly Shape[] = [
  {
    kind: 'an e-mail address',
    pattern: /[^\s@<>()[\],;:"]+(?:@|\s?(?:\(at\)|\[at\]|＠)\s?)[^\s@<>()[\],;:"]+\.\p{L}{2,}/giu,
    fewestDigits: 0,
  },
  {
    kind: 'an IBAN',
    pattern:
      /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:[a-z\d]{11,30}|(?:[ -][a-z\d]{4}){2,7}(?:[ -][a-z\d]{1,3})?)(?![\p{L}\p{N}])/giu,
    fewestDigits: 8,
  },
  // +34 600 12 34 56, 0034…, (600) 123-456
  {
    kind: 'a phone number',
    pattern: /(?:\+|(?<!\p{N})00)[ ]?\p{Nd}(?:[ .\-/()]{0,2}\p{Nd}){6,14}(?!\p{N})/gu,
    fewestDigits: 7,
  },
  {
    kind: 'a phone number',
    pattern: /(?<![\p{N}.,])\(?\p{Nd}{2,4}\)?(?:[ .\-/]{1,2}\p{Nd}{2,4}){2,5}(?![\p{N}])/gu,
    fewestDigits: 9,
  },
  // Documents (12.345.678-Z, X1234567L), cards, accounts, contracts.
  {
    kind: 'a long number',
    pattern:
      /(?<!\p{N})(?:\p{Nd}{8,}|\p{Nd}{2}\.\p{Nd}{3}\.\p{Nd}{3}-?[A-Z](?!\p{L})|[XYZ]-?\p{Nd}{7}-?[A-Z](?!\p{L}))/gu,
    fewestDigits: 7,
  },
];

/** What kinds are in there; empty: none. */
export function findPersonalData(text: string): readonly PersonalData[] {
  let rest = text;
  const found = new Set<PersonalData>();
  for (const { kind, pattern, fewestDigits } of shapes) {
    // What is found is taken out: the digits of an IBAN are no phone number beside it.
    rest = rest.replaceAll(pattern, (match) => {
      if (digitsIn(match) < fewestDigits) return match;
      found.add(kind);
      return '\n';
    });
  }
  return [...found];
}

function digitsIn(text: string): number {
  return [...text.matchAll(/\p{Nd}/gu)].length;
}

export interface NamedFile extends QuestionFile {
  readonly name: string;
}

interface FineQuestion {
  readonly hash: Buffer;
  readonly text: string;
}

export interface FilePlace {
  readonly file: string;
  readonly place: number;
}

interface RefusedPlace extends FilePlace {
  readonly reason: string;
}

interface PersonalPlace extends FilePlace {
  readonly found: readonly PersonalData[];
}

export interface SortedQuestions {
  readonly fine: readonly FineQuestion[];
  readonly refused: readonly RefusedPlace[];
  /** Held back, or pointed out where they are allowed. */
  readonly personal: readonly PersonalPlace[];
  /** The same as one before it in the files. */
  readonly repeated: number;
}

export function sortQuestions(
  files: readonly NamedFile[],
  { allowPersonalData }: { readonly allowPersonalData: boolean },
): SortedQuestions {
  const fine = new Map<string, FineQuestion>();
  const refused: RefusedPlace[] = [];
  const personal: PersonalPlace[] = [];
  let repeated = 0;
  for (const { name: file, questions, unread } of files) {
    const refusedHere: UnreadPlace[] = [...unread];
    for (const { place, text: raw } of questions) {
      const judged = judgeQuestion(raw);
      if (judged.kind === 'refused') {
        refusedHere.push({ place, reason: judged.reason });
        continue;
      }
      const found = findPersonalData(judged.text);
      if (found.length > 0) personal.push({ file, place, found });
      if (found.length > 0 && !allowPersonalData) continue;
      const hash = questionHash(judged.text);
      const key = hash.toString('hex');
      if (fine.has(key)) repeated += 1;
      else fine.set(key, { hash, text: judged.text });
    }
    refusedHere.sort((a, b) => a.place - b.place);
    refused.push(...refusedHere.map((one) => ({ file, ...one })));
  }
  return { fine: [...fine.values()], refused, personal, repeated };
}
