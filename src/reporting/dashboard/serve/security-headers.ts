// Headers of every answer: nothing is stored, framed, guessed or told to other sites.

/** @param nonce of the one script of the page; undefined: the answer is no page */
export function securityHeaders(nonce: string | undefined): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(nonce === undefined
      ? []
      : [`script-src 'nonce-${nonce}'`, "style-src 'self'", "connect-src 'self'", 'img-src data:']),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}
