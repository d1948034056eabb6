// Posts a JSON text to a webhook. Never rejects.
import { messageOf } from './errors.ts';

/** Why it was not taken; undefined: it was. A redirect is not followed: the message is for this address. */
export async function postJson(url: string, body: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
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
  }
}
