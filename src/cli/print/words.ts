// Words that several commands use.
import { fold } from './text.ts';

/** Lines of a text behind a lead; all but the first are indented as far. */
export const wrap = (text: string, width: number, lead = '') =>
  fold(`${lead}${text}`, width, lead.trimStart().length);
