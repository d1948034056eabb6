// The questions in a file, whatever its form: lines, CSV, JSON or JSON lines, found by itself. Pure.
import { ConfigError } from '../../core/errors.ts';
import { looksLikeTable, readCsvQuestions } from './csv-questions.ts';
import { listIn, parseJson, readJsonLines, readJsonQuestions } from './json-questions.ts';
import type { QuestionFile, QuestionFormat, ReadOptions } from './question-file.ts';

/** @throws ConfigError where the form is clear and cannot be read */
export function readQuestions(bytes: Uint8Array, options: ReadOptions): QuestionFile {
  const text = decoded(bytes, options.name);
  const format = options.format ?? formatOf(text, options);
  switch (format) {
    case 'json':
      return readJsonQuestions(text, options);
    case 'jsonl':
      return readJsonLines(text, options);
    case 'csv':
      return readCsvQuestions(text, options);
    case 'lines':
      return readLines(text);
  }
}

function formatOf(text: string, { name, column }: ReadOptions): QuestionFormat {
  const start = text.trimStart();
  if (/^[[{]/.test(start)) {
    const whole = parseJson(text);
    if (whole !== undefined && listIn(whole.value, column) !== undefined) return 'json';
    const [firstLine = ''] = start.split(/\r?\n/, 1);
    return parseJson(firstLine) === undefined ? 'json' : 'jsonl';
  }
  if (/\.[ct]sv$/i.test(name) || column !== undefined || looksLikeTable(text)) return 'csv';
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every(isJsonText) ? 'jsonl' : 'lines';
}

function isJsonText(line: string): boolean {
  return /^\s*"/.test(line) && typeof parseJson(line)?.value === 'string';
}

function readLines(text: string): QuestionFile {
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ place: index + 1, text: line }));
  const questions = lines.filter((line) => line.text.trim() !== '');
  return { format: 'lines', column: undefined, questions, unread: [] };
}

/** A wrong encoding would be sent as wrong letters. */
function decoded(bytes: Uint8Array, name: string): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError([
      `Expected ${name} to be text in UTF-8, got bytes that are none. Save it as UTF-8 ("CSV UTF-8" in Excel), or: iconv -f windows-1252 -t utf-8`,
    ]);
  }
}
