// What in a question may tell who somebody is: addresses, numbers to call, numbers of documents and of accounts. Names of
// people are not found. Rather too much than too little: who asks is told the line, and decides. Pure.

export type PersonalData = 'an e-mail address' | 'an IBAN' | 'a phone number' | 'a long number';

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
