// A sandbox with an account for each key, slow enough to be killed in. It notes what each key asked, and when.
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { startSandbox } from '../../src/sandbox/server.ts';

export interface Asked {
  /** Named after its key; '': no key that is known. */
  readonly account: string;
  readonly atMs: number;
  readonly status: number;
}

export interface KeyedServer {
  readonly url: string;
  /** In the order in which they came. */
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** @param delayMs how long each answer takes */
export async function startKeyedServer(
  keys: readonly string[],
  { delayMs = 0, ...options }: SandboxOptions & { readonly delayMs?: number } = {},
): Promise<KeyedServer> {
  const asked: Asked[] = [];
  const sandbox = await startSandbox({
    ...{ apiKeys: keys, perMinute: 1_000_000, perDay: 1_000_000, ...options },
    faults: {
      delayMs: [delayMs, delayMs],
      answer: ({ account }, { status }) => {
        asked.push({ account: account === undefined ? '' : (keys[account] ?? ''), atMs: Date.now(), status });
        return undefined;
      },
    },
  });
  return { url: sandbox.url, asked, close: () => sandbox.close() };
}
