// What a file of questions holds, before any of it is judged.

export type QuestionFormat = 'lines' | 'csv' | 'json' | 'jsonl';

export const questionFormats: readonly QuestionFormat[] = ['lines', 'csv', 'json', 'jsonl'];

export interface GivenQuestion {
  /** Where it stands, from 1: the line, or the element of a JSON list. */
  readonly place: number;
  readonly text: string;
}

export interface UnreadPlace {
  readonly place: number;
  readonly reason: string;
}

export interface QuestionFile {
  readonly format: QuestionFormat;
  /** Column or field of the questions, as the file writes it; undefined: there is none. */
  readonly column: string | undefined;
  readonly questions: readonly GivenQuestion[];
  /** What holds something else than a text. */
  readonly unread: readonly UnreadPlace[];
}

export interface ReadOptions {
  /** For messages, and for what its ending says; `-` for standard input. */
  readonly name: string;
  readonly column?: string | undefined;
  readonly format?: QuestionFormat | undefined;
}
