// Writes to stdout as fast as its reader takes it. Ends early, and quietly, where the reader has gone (`| head`).
import { once } from 'node:events';
import type { Terminal } from './context.ts';

export async function writeOut(
  { stdout, signal }: Terminal,
  parts: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  stdout.on('error', leave).on('close', leave);
  try {
    for await (const part of parts) {
      if (gone.signal.aborted) return;
      if (!stdout.write(part))
        await once(stdout, 'drain', { signal: AbortSignal.any([signal, gone.signal]) });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    stdout.off('error', leave).off('close', leave);
  }
}
