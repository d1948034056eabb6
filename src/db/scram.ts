// Computes the verifier of a password, as psql's \password sends it, so that the log of the server and its
// statistics hold no password; the server takes it as if it had made it itself (RFC 5802;
// src/common/scram-common.c of Postgres).
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4096;

/** `SCRAM-SHA-256$4096:<salt>$<StoredKey>:<ServerKey>` */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(prepared(password), salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

/** Applies SASLprep (RFC 4013) as clients do at login: spaces made alike, invisible characters removed, NFKC. */
function prepared(password: string): string {
  return (
    password
      .replaceAll(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, ' ')
      // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is taken out by itself.
      .replaceAll(/[\u00ad\u034f\u1806\u180b-\u180d\u200c\u200d\u2060\ufe00-\ufe0f\ufeff]/g, '')
      .normalize('NFKC')
  );
}
