// The file's `agency` and `report`, in the names of the code.
import { resolve } from 'node:path';
import type { AgencyConfig, ReportConfig } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { parseAt } from './fault.ts';
import { agencySchema, reportSchema } from './report-schema.ts';

export function readAgency(file: ConfigFile | undefined, faults: string[]): AgencyConfig {
  const at = { source: file?.source ?? '', path: ['agency'] };
  const { name, logo, colors, footer } = parseAt(agencySchema, file?.data['agency'] ?? {}, at, faults) ?? {};
  return {
    name,
    logo: logo === undefined ? undefined : resolve(file?.folder ?? '', logo),
    accentColor: colors?.accent ?? '#1f4e79',
    textColor: colors?.text ?? '#1b1f24',
    footer,
  };
}

export function readReport(file: ConfigFile | undefined, faults: string[]): ReportConfig {
  const at = { source: file?.source ?? '', path: ['report'] };
  const {
    to = [],
    clients = {},
    notes = false,
  } = parseAt(reportSchema, file?.data['report'] ?? {}, at, faults) ?? {};
  // Without a prototype, so that a client named `constructor` has addresses only where they are given.
  return { to, clients: Object.assign(Object.create(null), clients), notes };
}
