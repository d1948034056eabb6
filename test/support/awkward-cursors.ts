// Cursors as the awkward server gives them: opaque, and hard to carry unharmed.
import { json, type Raw, raw } from './awkward-json.ts';
import type { CursorStyle } from './awkward-world.ts';

/** Beyond 2^53, where neighbours are one number to JavaScript. */
const firstNumber = 9_007_199_254_740_993n;

export function cursorOf(style: CursorStyle, pageNo: number): Raw {
  return style === 'number' ? raw(textOf(style, pageNo)) : json(textOf(style, pageNo));
}

function textOf(style: CursorStyle, pageNo: number): string {
  switch (style) {
    case 'short':
      return `c${pageNo}`;
    case 'number':
      return String(firstNumber + BigInt(pageNo));
    case 'odd':
      return `a&b/c+d=e%20%f ñ🚀?#${pageNo}`;
    case 'long':
      return `${'Zm9v+/='.repeat(300)}${pageNo}`;
  }
}

/** Undefined: no such cursor was ever given. */
export function pageNumberOf(style: CursorStyle, cursor: string): number | undefined {
  if (cursor === '') return 1;
  for (let pageNo = 2; pageNo < 50; pageNo += 1) {
    if (textOf(style, pageNo) === cursor) return pageNo;
  }
  return undefined;
}
