// Whether a text can be sent as a question (api.md, "Write routes"). The service does not say how it counts characters,
// so the bounds hold for code units, code points and what people see as one character. Pure.

export const shortestQuestion = 8;
export const longestQuestion = 300;

export type JudgedQuestion =
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
