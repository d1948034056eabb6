// What can be the name of a role. Postgres silently truncates a longer name, and then finds no such role.
import { flawOf } from '../config/storable-text.ts';

const mostBytes = 63;

/** What is wrong with it, as a sentence; undefined: nothing. */
export function roleNameFault(name: string): string | undefined {
  const fault = (expected: string, got: string, fix: string) =>
    `Expected <role> to be ${expected}, got ${got}. ${fix}`;
  const bytes = Buffer.byteLength(name);
  const shown = JSON.stringify(name);
  const flaw = flawOf(name);
  if (name === '') return fault('the name of a role', shown, 'Give one, such as metabase.');
  if (flaw !== undefined) return fault(flaw.expected, shown, flaw.fix);
  if (bytes > mostBytes) {
    return fault(`a name of at most ${mostBytes} bytes`, `${shown} of ${bytes}`, 'Choose a shorter one.');
  }
  if (name.startsWith('pg_') || name === 'public' || name === 'none') {
    return fault('a name that Postgres has not reserved', shown, 'Choose another one, such as metabase.');
  }
  return undefined;
}
