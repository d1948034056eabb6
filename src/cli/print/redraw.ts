// Shows progress on stderr. On a terminal its lines are redrawn below whatever else is written there, such as the
// log; elsewhere it writes a plain line now and then.
import { textWidth } from './text.ts';

interface Redraw {
  /** Draws now instead of at the next tick. */
  draw(): void;
  stop(): void;
}

const drawEveryMs = 200;
const plainEveryMs = 15_000;
const barCells = 16;

/**
 * Keeps the cursor visible below the lines, so that a killed process leaves nothing to restore.
 * @param linesAt one line or several; `width` is the room on a terminal, undefined elsewhere
 */
export function redraw(
  stderr: NodeJS.WriteStream,
  linesAt: (width: number | undefined) => readonly string[],
): Redraw {
  const isTerminal = stderr.isTTY === true;
  const write = stderr.write;
  let rows = 0;
  const put = (lines: readonly string[]) => {
    const erased = rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`;
    rows = isTerminal ? lines.length : 0;
    const text = `${erased}${lines.map((line) => `${line}\n`).join('')}`;
    if (text !== '') Reflect.apply(write, stderr, [text]);
  };
  const draw = () => {
    const width = isTerminal ? Math.max((stderr.columns || 80) - 1, 20) : undefined;
    const lines = linesAt(width);
    put(width === undefined ? lines : lines.map((line) => cut(line, width)));
  };
  if (isTerminal) {
    stderr.write = (...given: unknown[]) => {
      put([]);
      return Reflect.apply(write, stderr, given);
    };
  }
  const timer = setInterval(draw, isTerminal ? drawEveryMs : plainEveryMs);
  timer.unref();
  return {
    draw,
    stop: () => {
      clearInterval(timer);
      put([]);
      stderr.write = write;
    },
  };
}

/** A line that wraps would be only half erased. */
function cut(line: string, width: number): string {
  const characters = [...line].slice(0, width);
  while (textWidth(characters.join('')) > width) characters.pop();
  return characters.join('');
}

/** @param share from 0 to 1 */
export function bar(share: number, cells = barCells): string {
  const filled = Math.floor(Math.min(share, 1) * cells);
  return `${'━'.repeat(filled)}${'─'.repeat(cells - filled)}`;
}
