import { describe, expect, test } from 'vitest';
import { type Asked, sharedBy } from '../../src/db/pooler.ts';

/** `1:70` is connection 1, answered by session 70. */
const asked = (text: string): Asked[] =>
  text.split(' ').map((one) => {
    const [connection, session] = one.split(':');
    return { connection: connection === '1' ? 1 : 2, session: Number(session) };
  });

describe('sessions', () => {
  test.each(['1:70', '1:70 2:80', '1:70 2:80 2:80 1:70 2:80 1:70'])(
    'that stay with their connections are no sign of a pooler: %s',
    (text) => expect(sharedBy(asked(text))).toBeUndefined(),
  );

  test.each(['1:70 2:70', '1:70 2:80 2:80 1:80'])('that two connections had: %s', (text) =>
    expect(sharedBy(asked(text))).toBe('two connections had the same session, as in transaction mode'),
  );

  test.each(['1:70 2:80 2:80 1:90', '1:70 1:71'])('that a connection changed: %s', (text) =>
    expect(sharedBy(asked(text))).toBe('one connection had two sessions, as in transaction mode'),
  );
});
