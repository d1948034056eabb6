// Recognises the three text forms of a log upload: combined format, JSON per line, CSV with a header row.

export type LogForm = 'combinado' | 'json_por_linea' | 'csv';

export interface LogLines {
  readonly form: LogForm;
  readonly lines: readonly string[];
  readonly dropped: number;
}

const combined = /^\S+ \S+ \S+ \[[^\]]+\] "[A-Z]+ \S+[^"]*" \d{3} (?:\d+|-)(?: "[^"]*" "[^"]*")?/;

/** Undefined when the text is in none of the forms. */
export function readLogLines(text: string): LogLines | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  if (combined.test(first)) return read('combinado', lines, (line) => combined.test(line));
  if (first.trimStart().startsWith('{')) return read('json_por_linea', lines, isEventLine);
  const columns = first.split(',').map((column) => column.trim().toLowerCase());
  if (!columns.includes('fecha') || !columns.includes('ruta')) return undefined;
  return read('csv', lines.slice(1), (line) => line.split(',').length >= columns.length);
}

/** Whether a value is a log event with the fields that matter (api.md, "Write routes"). */
export function isLogEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const event: { readonly fecha?: unknown; readonly ruta?: unknown } = value;
  return (
    (typeof event.fecha === 'string' || typeof event.fecha === 'number') && typeof event.ruta === 'string'
  );
}

function isEventLine(line: string): boolean {
  try {
    return isLogEvent(JSON.parse(line));
  } catch {
    return false;
  }
}

function read(form: LogForm, lines: readonly string[], usable: (line: string) => boolean): LogLines {
  return { form, lines, dropped: lines.filter((line) => !usable(line)).length };
}
