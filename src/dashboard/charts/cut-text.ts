// Texts of the data where there is little room.

/** One line of at most so many characters, with `…` where it was longer; an emoji is never halved. */
export function cutText(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= most) return characters.join('');
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}
