// Where each question stands on the grid of its page.
import type { Question } from './question.ts';

export interface Placed {
  readonly question: Question;
  readonly row: number;
  readonly col: number;
}

/** Columns of a dashboard. */
const columns = 24;

/** From left to right; what no longer fits begins a new line below the highest of the one before. */
export function layOut(questions: readonly Question[]): readonly Placed[] {
  const placed: Placed[] = [];
  let row = 0;
  let col = 0;
  let lineHeight = 0;
  for (const question of questions) {
    if (col + question.width > columns) {
      row += lineHeight;
      col = 0;
      lineHeight = 0;
    }
    placed.push({ question, row, col });
    col += question.width;
    lineHeight = Math.max(lineHeight, question.height);
  }
  return placed;
}
