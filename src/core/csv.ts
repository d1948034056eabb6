// Cells of CSV: for programs, by RFC 4180, and for spreadsheets, which run texts as formulas.

/** NULL is empty, and an empty text is quoted, as psql does it. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? quoted(value) : value;
}

/** Places where a formula may begin: at the start, and where a spreadsheet may begin a cell or a line. */
const formula = /(^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * The same for a spreadsheet: a text that it takes for a formula gets a mark in front, also within it. One in Spanish splits
 * at `;`, and then takes neither quotes nor line breaks for what they are here. Numbers must not be given.
 */
export function spreadsheetCell(value: string | null): string {
  if (value === null) return '';
  const safe = value.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
  return safe === '' || /[",;\t\r\n]/.test(safe) ? quoted(safe) : safe;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
