// Handles a refused login in a running process: the password was rotated, and the settings will have the new
// one.
import type { Clock } from '../core/clock.ts';
import { messageOf, WarehouseError } from '../core/errors.ts';
import { isRefusedLogin } from './sqlstate.ts';

const patienceMs = 60_000;

interface RefusedLogin {
  /**
   * Returns true if the login was refused before, too.
   * @throws WarehouseError when it has been for a minute, so that the process ends
   */
  meet(error: unknown): boolean;
  forget(): void;
}

export function watchRefusedLogin(clock: Clock): RefusedLogin {
  let sinceMs: number | undefined;
  return {
    meet(error) {
      const before = sinceMs;
      sinceMs = isRefusedLogin(error) ? (sinceMs ?? clock.now()) : undefined;
      if (sinceMs !== undefined && clock.now() - sinceMs >= patienceMs) {
        throw new WarehouseError(
          `The database refused the login for a minute: ${messageOf(error)}. Correct the password in DATABASE_URL, and start airank again`,
          {},
          { cause: error },
        );
      }
      return before !== undefined && sinceMs !== undefined;
    },
    forget() {
      sinceMs = undefined;
    },
  };
}
