// How many columns of a terminal a text takes: names of clients may hold emoji, accents and Chinese.

const plain = /^[\x20-\x7e]*$/;
const wide =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u;
const invisible = /^[\p{Mn}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (!invisible.test(segment)) columns += wide.test(segment) ? 2 : 1;
  }
  return columns;
}
