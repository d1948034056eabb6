// Flags of airank dashboard, checked all at once.
import { resolve } from 'node:path';
import { isRequestHost } from '../../config/request-hosts.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Language } from '../../reporting/dashboard/charts/chart.ts';
import { isDay } from '../../reporting/dashboard/page/dates.ts';
import type { Terminal } from './context.ts';
import { numberFlag } from './number-flags.ts';

export const usualDashboardPort = 9465;

export interface DashboardFlags {
  readonly output?: string;
  readonly client?: string;
  readonly from?: string;
  readonly to?: string;
  readonly withNotes?: true;
  readonly serve?: true;
  /** Undefined: the usual one. */
  readonly port?: string;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly language?: Language;
  readonly demo?: true;
}

export type DashboardWish =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'serve'; readonly port: number };

/** @throws ConfigError with every fault */
export function readDashboardFlags(flags: DashboardFlags, { cwd }: Terminal): DashboardWish {
  const faults = Object.entries({ from: flags.from, to: flags.to }).flatMap(([name, text]) =>
    text === undefined || isDay(text)
      ? []
      : [`Expected --${name} to be a date such as 2026-04-03, got "${text}"`],
  );
  const { from, to, output } = flags;
  if (from !== undefined && to !== undefined && from > to) {
    faults.push(`Expected --from to be no later than --to, got ${from} and ${to}`);
  }
  if ((output === undefined) === (flags.serve === undefined)) {
    faults.push(
      `Expected either --output with the file to write or --serve, got ${output ? 'both' : 'neither'}`,
    );
  }
  const file = resolve(cwd, output ?? '');
  const port =
    numberFlag('--port', flags.port ?? String(usualDashboardPort), { min: 0, max: 65_535 }, faults) ?? 0;
  if (output !== undefined && flags.port !== undefined) {
    faults.push('Expected no --port with --output: a file listens nowhere');
  }
  for (const name of flags.allowHost.filter((one) => !isRequestHost(one))) {
    faults.push(`Expected --allow-host to be a name such as visibility.example.com, got "${name}"`);
  }
  for (const name of ['client', 'from', 'to'] as const) {
    if (flags.serve && flags[name] !== undefined) {
      faults.push(
        `Expected no --${name} with --serve: it is chosen on the page; airank dashboard link shows one client`,
      );
    }
  }
  if (flags.withNotes && flags.client === undefined) {
    faults.push('Expected --with-notes with --client, got it without: a file of everything has them anyway');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return flags.serve ? { kind: 'serve', port } : { kind: 'file', file };
}
