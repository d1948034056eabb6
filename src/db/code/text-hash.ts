// The hash by which the text of a function or view is known in the database.
import { createHash } from 'node:crypto';

export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
