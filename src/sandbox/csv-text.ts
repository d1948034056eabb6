// CSV as RFC 4180 has it: a header row with the field names, CRLF, quotes only where needed.
import { type JsonObject, type JsonValue, toJson } from './json-literal.ts';

/** The records' fields as CSV. The first record names the columns; `null` is an empty field. */
export function toCsv(records: readonly JsonObject[]): string {
  const columns = Object.keys(records[0] ?? {});
  const rows = records.map((record) => columns.map((column) => field(record[column] ?? null)).join(','));
  return [columns.map(quote).join(','), ...rows].map((row) => `${row}\r\n`).join('');
}

function field(value: JsonValue): string {
  if (value === null) return '';
  return quote(typeof value === 'string' ? value : toJson(value));
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
