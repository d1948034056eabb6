// The dashboard live, until Ctrl-C or SIGTERM.
import { once } from 'node:events';
import { isIP } from 'node:net';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { Language } from '../../reporting/dashboard/charts/chart.ts';
import type { Assets } from '../../reporting/dashboard/document/assets.ts';
import {
  type DashboardServer,
  startDashboardServer,
} from '../../reporting/dashboard/serve/dashboard-server.ts';
import { readLinkSecret } from '../../reporting/dashboard/serve/link-secret.ts';
import { randomToken } from '../../reporting/dashboard/serve/links.ts';
import { liveData } from '../../reporting/dashboard/serve/live-data.ts';
import type { Settings, Terminal } from './context.ts';
import type { OpenedReader } from './with-reader.ts';
import { pageSource } from './write-dashboard.ts';

export interface ServeWish {
  readonly assets: Assets;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly language?: Language;
}

/** @throws WarehouseError when it cannot listen there */
export async function serveDashboard(
  terminal: Terminal,
  opened: OpenedReader,
  wish: ServeWish,
): Promise<void> {
  const { settings } = opened;
  const { stdout, stderr, signal } = terminal;
  const ownToken = randomToken();
  const secret = await linkSecret(terminal, settings);
  const language = wish.language ?? settings.config.language;
  const names = [...new Set([...wish.allowedHosts, ...settings.config.dashboardHosts])];
  const source = pageSource(terminal, opened);
  const data = liveData(source, language);
  const server = await start({
    host: wish.host,
    port: wish.port,
    rulesFor: (port) => ({
      data,
      assets: wish.assets,
      language,
      allowedHosts: [...names, ...(isAddress(wish.host) ? [wish.host] : [])],
      secret,
      ownToken,
      cookieName: `airank_dashboard_${port}`,
    }),
    onFailure: (error) => stderr.write(`A page could not be read: ${settings.scrub(messageOf(error))}\n`),
  });
  try {
    // Known by the time it is asked for.
    void data.warm();
    source.readiness.now();
    for (const line of reach(server.port, wish.host, names)) stdout.write(`${line}/#token=${ownToken}\n`);
    stderr.write('Whoever has the link sees everything, as long as this runs. Ctrl-C ends it.\n');
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await server.close();
  }
}

async function start(options: Parameters<typeof startDashboardServer>[0]): Promise<DashboardServer> {
  try {
    return await startDashboardServer(options);
  } catch (error) {
    const code = codeOf(error);
    const why =
      code === 'EADDRINUSE'
        ? `Port ${options.port} is in use, perhaps by another dashboard. Stop that, or choose one with --port (0 takes a free one)`
        : `Cannot listen on ${options.host}, port ${options.port}: ${messageOf(error)}. Choose others with --host and --port`;
    throw new WarehouseError(why, {}, { cause: error });
  }
}

/** Without a place for it, client links of others do not open here, and the dashboard is served all the same. */
async function linkSecret({ stderr }: Terminal, { config }: Settings): Promise<string> {
  if (config.dashboardSecret !== undefined) return config.dashboardSecret.reveal();
  try {
    return await readLinkSecret(config.dataDir);
  } catch (error) {
    stderr.write(`Links of single clients do not open: ${messageOf(error)}\n`);
    return randomToken();
  }
}

/** An address that is one place; 0.0.0.0 is every one. */
function isAddress(host: string): boolean {
  return isIP(host) === 0 || !['0.0.0.0', '::'].includes(host);
}

function reach(port: number, host: string, names: readonly string[]): string[] {
  const name = !isAddress(host) ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host;
  return [`http://${name}:${port}`, ...names.map((one) => `https://${one}`)];
}
