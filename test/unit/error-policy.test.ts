import { describe, expect, it } from 'vitest';
import { RetryableError, SkippableError, UnavailableError } from '../../src/core/errors.ts';
import { createAccountHealth } from '../../src/sync/run/error-policy.ts';

const answered = (status: number) => new UnavailableError(`GET x answered ${status}`, { status });
const health = () => createAccountHealth('agency', new URL('https://api.example.com/base'));

/** Returns which of several streams failing alike ends the account, from 1; undefined: none of ten. */
function endsAt(error: Error): number | undefined {
  const account = health();
  for (let stream = 1; stream <= 10; stream += 1) {
    if (account.failed(`stream-${stream}`, error) !== undefined) return stream;
  }
  return undefined;
}

describe('the health of an account', () => {
  it('ends it at the second 401, and after more 403 or 404 than single routes give', () => {
    expect(endsAt(answered(401))).toBe(2);
    expect(endsAt(answered(403))).toBe(6);
    expect(endsAt(answered(404))).toBe(6);
  });

  it('ends it at the second stream that no server or a redirect answers', () => {
    expect(endsAt(new RetryableError('connect ECONNREFUSED'))).toBe(2);
    expect(endsAt(new SkippableError('redirect', { status: 302 }))).toBe(2);
  });

  it('never ends it for the same stream again, nor for faults of single slices', () => {
    const account = health();
    for (let client = 0; client < 20; client += 1)
      expect(account.failed('products', answered(401))).toBeUndefined();
    expect(endsAt(new SkippableError('pagination loop', { status: 200 }))).toBeUndefined();
  });

  it('never ends it once anything succeeded', () => {
    const account = health();
    account.succeeded();
    for (let stream = 0; stream < 20; stream += 1)
      expect(account.failed(`stream-${stream}`, answered(403))).toBeUndefined();
    expect(account.allRefused()).toBeUndefined();
  });

  it('says at the end that everything was refused, when that is all that came, with the setting to look at', () => {
    const account = health();
    expect(account.allRefused()).toBeUndefined();
    account.failed('prediccion', answered(403));
    expect(account.allRefused()?.message).toContain('AIRANK_API_KEY');
    const lost = health();
    lost.failed('a', answered(404));
    expect(lost.allRefused()?.message).toContain('AIRANK_BASE_URL (https://api.example.com/base)');
  });
});
