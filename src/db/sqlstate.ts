// SQLSTATEs by meaning (PostgreSQL manual, Appendix A).

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function detailOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('detail' in error)) return '';
  return String(error.detail ?? '').replaceAll('\n', '; ');
}

/** The value itself is refused (class 22 data exception, class 54 program limit): no retry helps. */
export function isBadValue(error: unknown): boolean {
  return /^(22|54)/.test(codeOf(error) ?? '');
}

/**
 * Errors that are about one slice's transaction, not about the next one's: a value, a limit, a broken rule,
 * a deadlock, a lock that was not available (classes 22, 23, 40, 54, 55).
 */
export function isAboutOneSlice(error: unknown): boolean {
  return /^(22|23|40|54|55)...$/.test(codeOf(error) ?? '');
}

/** A table, column or function is not there, or not as this version expects it (42703, 42883, 42P01, 42P02, 42804). */
export function isMissingObject(error: unknown): boolean {
  return ['42703', '42883', '42P01', '42P02', '42804'].includes(codeOf(error) ?? '');
}

const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // idle_in_transaction_session_timeout
  '25P03',
]);

/** The server has no connection free (53300 too_many_connections): it works again when another one ends. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/** The server takes no writes at the moment (25006 read_only_sql_transaction). */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The connection is gone or cannot be made (also class 08). */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return lostCodes.has(code) || code.startsWith('08');
  // pg 8 has no code for a connection that ends under a query.
  return (
    error instanceof Error &&
    /^(Connection terminated|Client has encountered a connection error|timeout expired$)/.test(error.message)
  );
}

/**
 * The server cannot work now, and the same statement may succeed later: a lost connection, no
 * memory, disk or connections (class 53), operator intervention (57P), a failing disk (58), a server
 * that is being promoted (25006).
 */
export function isDisturbance(error: unknown): boolean {
  return isConnectionLost(error) || /^(53...|57P..|58...|25006)$/.test(codeOf(error) ?? '');
}

/** The database is away, full of connections or read-only: the statement is not the reason. */
export function isAway(error: unknown): boolean {
  return isConnectionLost(error) || isBusy(error) || isReadOnly(error);
}

/** A record lacks the key or shares it: not_null_violation, unique_violation. */
export function isAboutKeys(error: unknown): boolean {
  return ['23502', '23505'].includes(codeOf(error) ?? '');
}

/** invalid_password: the login is refused. */
export function isRefusedLogin(error: unknown): boolean {
  return codeOf(error) === '28P01';
}

/** insufficient_privilege. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** lock_not_available: `lock_timeout` ended the wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}
