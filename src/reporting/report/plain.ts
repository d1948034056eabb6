// Texts of the data as they may stand in a sentence or a cell: short, on one line, without marks that turn around
// what follows them.

/** @param most characters */
export function plain(text: string | null, most = 120): string {
  const one = (text ?? '')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...one];
  return characters.length <= most ? one : `${characters.slice(0, most - 1).join('')}…`;
}
