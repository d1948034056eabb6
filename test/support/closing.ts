// Servers and clients that a test opens, closed after it, the newest first.
import { afterEach } from 'vitest';

/** Gives a function that takes what was opened, and gives it back. */
export function closing(): <Opened extends { close(): Promise<unknown> }>(opened: Opened) => Opened {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  return (opened) => {
    open.push(opened);
    return opened;
  };
}
