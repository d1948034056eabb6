// Servers and clients that a test opens, closed after it, the newest first; all of them, also where one fails to close.
import { afterEach } from 'vitest';

/** Gives a function that takes what was opened, and gives it back. */
export function closing(): <Opened extends { close(): Promise<unknown> }>(opened: Opened) => Opened {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    const ends: PromiseSettledResult<unknown>[] = [];
    for (const one of open.splice(0).reverse()) ends.push(...(await Promise.allSettled([one.close()])));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  });
  return (opened) => {
    open.push(opened);
    return opened;
  };
}
