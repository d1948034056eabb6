// Walks one slice from its checkpoint to its end, and starts over where the server no longer knows the cursor.
import { dropPages, readCheckpoint } from '../../store/pages/pages.ts';
import type { Walked, WalkInput } from './walk.ts';
import { CursorRefusedError, walkPages } from './walk-pages.ts';
import { walkValues } from './walk-values.ts';

/** @throws DoubtError when an answer is not believed */
export async function walkSlice(input: WalkInput): Promise<Walked> {
  const checkpoint = await readCheckpoint(input.db, input.slice);
  if (input.stream.source.kind !== 'walk') {
    const refused = await walkValues(input, checkpoint);
    return { listKey: undefined, isHead: false, repeats: 0, refused };
  }
  try {
    return { ...(await walkPages(input, checkpoint)), refused: [] };
  } catch (error) {
    if (!(error instanceof CursorRefusedError)) throw error;
    return { ...(await walkAnew(input)), refused: [] };
  }
}

/** Forgets what was walked and walks from the first page. A cursor that is refused now fails the slice. */
export async function walkAnew(input: WalkInput): Promise<Omit<Walked, 'refused'>> {
  await dropPages(input.db, input.slice);
  const start = { pageNo: 0, nextCursor: undefined, seenCursors: [], recordKeys: [] };
  return await walkPages(input, start).catch((error: unknown) => {
    throw error instanceof CursorRefusedError ? error.cause : error;
  });
}
