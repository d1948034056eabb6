// Posts a JSON text to a webhook. Never rejects.
import { fetch } from 'undici';
import { createDispatcher } from './dispatcher.ts';
import { messageOf } from './errors.ts';

export interface Post {
  readonly url: string;
  readonly body: string;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  /** Address of the proxy. Undefined: none. */
  readonly proxy: string | undefined;
}

/** Why it was not taken; undefined: it was. A redirect is not followed: the message is for this address. */
export async function postJson({ url, body, timeoutMs, proxy }: Post): Promise<string | undefined> {
  const dispatcher = createDispatcher({ proxy });
  try {
    const answer = await fetch(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
  } finally {
    await dispatcher.destroy();
  }
}
