// Waits for what is seen from outside only.

const lookEveryMs = 100;

/** Resolves when it is so. Rejects with what `tell` says when it is not so in time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  tell: () => string | Promise<string>,
): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`Not so after ${withinMs} ms: ${await tell()}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
