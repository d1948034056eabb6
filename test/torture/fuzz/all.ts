// Every parser that reads what others wrote.
import { fuzzClassify, fuzzCursors, fuzzJsonb, fuzzLists, fuzzLiterals } from './bodies.ts';
import { fuzzConfiguration } from './configuration.ts';
import { fuzzCsvTable, fuzzCsvText } from './csv.ts';
import type { Fuzz } from './fuzz.ts';
import { fuzzCron, fuzzRunDates } from './time.ts';

export const fuzzes: readonly Fuzz[] = [
  fuzzConfiguration,
  fuzzCsvText,
  fuzzCsvTable,
  fuzzRunDates,
  fuzzCron,
  fuzzClassify,
  fuzzLists,
  fuzzLiterals,
  fuzzCursors,
  fuzzJsonb,
];
