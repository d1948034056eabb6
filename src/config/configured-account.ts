// --account of commands that ask the service: an account of the configuration, which has a key.

import { ConfigError } from '../core/errors.ts';
import type { AccountConfig } from './config.ts';
import { didYouMean } from './nearest-name.ts';

/** @throws ConfigError when it is none of them, or not given where there are several */
export function configuredAccount(
  accounts: readonly AccountConfig[],
  flag: string | undefined,
): AccountConfig {
  const names = accounts.map(({ name }) => name);
  const [only, another] = accounts;
  if (flag === undefined && only !== undefined && another === undefined) return only;
  const chosen = accounts.find(({ name }) => name === flag);
  if (chosen !== undefined) return chosen;
  const expected = `Expected --account to be one of ${names.join(', ')}`;
  if (flag === undefined) throw new ConfigError([`${expected}, got nothing`]);
  const hint = didYouMean(flag, names);
  throw new ConfigError([`${expected}, got "${flag}"${hint === undefined ? '' : `. ${hint}`}`]);
}
