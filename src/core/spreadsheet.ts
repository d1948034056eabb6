// What a spreadsheet would run as a formula is marked as a text.

/** Where a formula may begin: at the start, and where a spreadsheet that splits elsewhere begins a cell or a line. */
const formula = /(^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * Adds a mark in front, also within a text: a spreadsheet in Spanish splits at `;`, and then takes neither quotes nor line
 * breaks for what they are in CSV. Numbers must not be given.
 */
export function withoutFormula(text: string): string {
  return text.replace(formula, "$1'").replace(/^(?=[\t\r])/, "'");
}
