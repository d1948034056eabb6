// Texts of the data where there is little room.

/** One line of at most so many characters, with `…` where it was longer; an emoji is never halved. */
export function cutText(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const shown =
    characters.length <= most
      ? characters.join('')
      : `${characters
          .slice(0, most - 1)
          .join('')
          .trimEnd()}…`;
  // ECharts 6.1 remembers widths of texts in a plain object, and writes into every object for `__proto__`. A joiner of no
  // width makes it another text.
  return shown in Object.prototype ? `${shown}\u2060` : shown;
}
