// Cells of CSV: for programs, by RFC 4180, and for spreadsheets, which run texts as formulas.

/** NULL becomes an empty cell, and an empty text is quoted, as in psql. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? quoted(value) : value;
}

/** Places where a formula may begin: at the start, and where a spreadsheet may begin a cell or a line. */
const formula = /(^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * Does the same for a spreadsheet: puts a mark before each text that it would run as a formula, also within a cell. A
 * Spanish spreadsheet splits at `;` and ignores quotes and line breaks then. Takes no numbers.
 */
export function spreadsheetCell(value: string | null): string {
  if (value === null) return '';
  const safe = value.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
  return safe === '' || /[",;\t\r\n]/.test(safe) ? quoted(safe) : safe;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
