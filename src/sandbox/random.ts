// Deterministic chance: the same parts always give the same draws, on any machine and after any restart.

/** Mixes two 32-bit numbers into one; order matters. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b);
  h = ((h << 13) | (h >>> 19)) ^ Math.imul(b + 0x7f4a7c15, 0xcc9e2d51);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Names are few and recur in every record; the bound is for texts that callers send. */
const textHashes = new Map<string, number>();
const cachedHashes = 1000;

/** Hashes a text to 32 bits (FNV-1a, then mixed). */
export function textHash(text: string): number {
  const known = textHashes.get(text);
  if (known !== undefined) return known;
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  const hash = mix(h >>> 0, text.length);
  if (textHashes.size < cachedHashes) textHashes.set(text, hash);
  return hash;
}

/** Hashes a row of numbers and texts to 32 bits. */
export function hashOf(...parts: readonly (number | string)[]): number {
  let h = 0x2545f491;
  for (const part of parts) h = mix(h, typeof part === 'number' ? part : textHash(part));
  return h;
}

/** A sequence of draws that is fixed by its parts. */
export class Dice {
  #state: number;

  constructor(...parts: readonly (number | string)[]) {
    this.#state = hashOf(...parts);
  }

  /** 0 … 2^32-1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return mix(this.#state, 0x51ed270b);
  }

  fraction(): number {
    return this.next() / 2 ** 32;
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return at(list, this.int(0, list.length - 1));
  }

  token(length: number): string {
    let text = '';
    while (text.length < length) text += this.next().toString(36).padStart(7, '0').slice(-6);
    return text.slice(0, length);
  }

  uuid(): string {
    const hex = [this.next(), this.next(), this.next(), this.next()]
      .map((part) => part.toString(16).padStart(8, '0'))
      .join('');
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/** Returns the element at `index`, wrapping around; the list must not be empty. */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[((index % list.length) + list.length) % list.length];
  if (value === undefined) throw new RangeError('Cannot take an element of an empty list');
  return value;
}
