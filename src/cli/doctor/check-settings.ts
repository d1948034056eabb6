// Doctor on the settings: each with where it came from, and every fault of all of them.

import { statSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import {
  type ExplainedSetting,
  explainFiles,
  explainSecretFiles,
  explainSettings,
  type SecretFile,
} from '../../config/explain-settings.ts';
import { proxyFor, proxyHost } from '../../config/proxy.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { readSettings, type Settings, type Terminal } from '../setup/context.ts';
import type { Check } from './check.ts';

export interface CheckedSettings {
  readonly checks: readonly Check[];
  readonly explained: readonly ExplainedSetting[];
  /** Undefined: nothing else can be checked. Without accounts when only those are at fault. */
  readonly settings: Settings | undefined;
}

export function checkSettings(terminal: Terminal): CheckedSettings {
  const explained = explainSettings(terminal);
  const known = new Set(explained.flatMap((setting) => setting.faults));
  const { settings, faults } = tryRead(terminal, true);
  const usable = settings ?? tryRead(terminal, false).settings;
  const others = faults.filter((fault) => !known.has(fault));
  return {
    checks: [
      { area: 'settings', level: 'fine', text: explainFiles(terminal) },
      ...explained.flatMap(checkSetting),
      ...(settings === undefined ? [] : checkKeys(settings.config)),
      ...explainSecretFiles(terminal).flatMap(checkReaders),
      ...others.map((text): Check => ({ area: 'settings', level: 'fault', text })),
    ],
    explained,
    settings: usable,
  };
}

function tryRead(terminal: Terminal, needAccounts: boolean) {
  try {
    return { settings: readSettings(terminal, { needAccounts }), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { settings: undefined, faults: error.faults };
  }
}

function checkSetting({ variable, from, shown, faults }: ExplainedSetting): Check[] {
  if (faults.length > 0) return faults.map((text) => ({ area: 'settings', level: 'fault', text }));
  if (from === undefined || shown === undefined) return [];
  const source = from === variable ? 'environment' : from.replace(`${variable} in `, '');
  return [{ area: 'settings', level: 'fine', label: variable, text: `${shown} (${source})` }];
}

function checkKeys({ accounts, http }: Config): Check[] {
  return accounts.map(({ name, apiKey, authHeader, baseUrl }) => {
    const proxy = proxyFor(baseUrl, http.proxy);
    const through = proxy === undefined ? '' : `, through the proxy ${proxyHost(proxy)} (HTTPS_PROXY)`;
    const key = `a key of ${plural(apiKey.reveal().length, 'character')}`;
    const text = `account ${name}: ${key}, sent to ${baseUrl.host} as ${authHeader}${through}`;
    return { area: 'settings', level: 'fine', text };
  });
}

function checkReaders({ path, holds }: SecretFile): Check[] {
  const mode = modeOf(path);
  if ((mode & 0o044) === 0) return [];
  const who = (mode & 0o004) === 0 ? 'its group' : 'everybody on this machine';
  const text = `${path} holds a secret (${holds}), and ${who} may read it (mode ${mode.toString(8)})`;
  return [{ area: 'settings', level: 'warning', text, fix: `chmod 600 ${path}` }];
}

/** Nothing where it cannot be told: on Windows, or of a file that cannot be reached, which is a fault of its own. */
function modeOf(path: string): number {
  try {
    return process.platform === 'win32' ? 0 : statSync(path).mode & 0o777;
  } catch {
    return 0;
  }
}
