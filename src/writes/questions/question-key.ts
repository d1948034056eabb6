// What makes two questions one: letter case, blanks and punctuation at the ends do not tell them apart. Pure.
import { createHash } from 'node:crypto';

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
