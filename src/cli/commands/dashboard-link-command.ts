// airank dashboard link: a link that shows one client, and nothing of the others nor of the account.
import type { Command } from 'commander';
import { dayMs } from '../../core/day-ms.ts';
import { ConfigError } from '../../core/errors.ts';
import { chooseScope } from '../../reporting/dashboard/read/choose-scope.ts';
import { readShownScopes } from '../../reporting/dashboard/read/read-overview.ts';
import { readLinkSecret } from '../../reporting/dashboard/serve/link-secret.ts';
import { clientLinkToken } from '../../reporting/dashboard/serve/links.ts';
import type { Terminal } from '../setup/context.ts';
import { usualDashboardPort } from '../setup/dashboard-flags.ts';
import { numberFlag } from '../setup/number-flags.ts';
import { demoFlag } from '../setup/use-warehouse.ts';
import { withReader } from '../setup/with-reader.ts';

interface LinkFlags {
  readonly days: string;
  /** Undefined: on this machine, at the port. */
  readonly url?: string;
  readonly port?: string;
  readonly withNotes?: true;
  readonly demo?: true;
  readonly json?: true;
}

export function addDashboardLinkCommand(dashboard: Command, terminal: Terminal): void {
  dashboard
    .command('link')
    .description('print a link that shows one client only')
    .argument('<client>', 'identifier, key (account/id) or name')
    .option('--days <number>', 'how long it opens', '30')
    .option('--url <address>', 'where readers reach the server (default: this machine)')
    .option('--port <number>', `where it listens on this machine (default: ${usualDashboardPort})`)
    .option('--with-notes', 'also the notes of airank note, yours alone otherwise')
    .option(...demoFlag)
    .option('--json', 'print the link and until when it opens as JSON on stdout')
    .addHelpText(
      'after',
      `
It opens as long as airank dashboard --serve runs with the same secret: that of
AIRANK_DASHBOARD_SECRET, or else of a file in AIRANK_DATA_DIR. A link cannot be
taken back before it ends, except by another secret, which ends all of them.

Examples:
  $ airank dashboard link 7
  $ airank dashboard link 7 --port 8080
  $ airank dashboard link "Bodega Luna" --url https://visibility.example.com`,
    )
    .action(async (given: string, flags: LinkFlags) => {
      const faults: string[] = [];
      const days = numberFlag('--days', flags.days, { min: 1, max: 3_650 }, faults);
      const base = baseOf(flags, faults);
      if (faults.length > 0 || base === undefined || days === undefined) throw new ConfigError(faults);
      await withReader(terminal, flags, { orDemo: true }, async ({ reader, settings: { config } }) => {
        const scope = chooseScope(await readShownScopes(reader.pool), given);
        const secret = config.dashboardSecret?.reveal() ?? (await readLinkSecret(config.dataDir));
        const until = new Date(Date.now() + days * dayMs);
        const wish = {
          clientKey: scope.clientKey,
          expiresAtMs: until.getTime(),
          withNotes: flags.withNotes === true,
        };
        const link = linkTo(base, clientLinkToken(secret, wish));
        const shown = { client_key: scope.clientKey, link, opens_until: until.toISOString() };
        terminal.stdout.write(flags.json ? `${JSON.stringify(shown)}\n` : `${link}\n`);
        if (!flags.json) {
          terminal.stderr.write(`It shows ${scope.name} until ${shown.opens_until.slice(0, 10)}.\n`);
        }
      });
    });
}

function baseOf({ url, port }: LinkFlags, faults: string[]): URL | undefined {
  const at = numberFlag('--port', port, { min: 1, max: 65_535 }, faults) ?? usualDashboardPort;
  if (url === undefined) return new URL(`http://127.0.0.1:${at}`);
  if (port !== undefined) faults.push('Expected either --url or --port, got both: an address has its port');
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base !== undefined && /^https?:$/.test(base.protocol) && base.search === '' && base.hash === '') {
    return base;
  }
  faults.push(`Expected --url to be an address such as https://visibility.example.com, got "${url}"`);
  return undefined;
}

/** In the fragment: no browser sends it, and no server writes it into a log. */
export function linkTo(base: URL, token: string): string {
  const folder = base.href.endsWith('/') ? base.href : `${base.href}/`;
  return `${folder}#token=${token}`;
}
