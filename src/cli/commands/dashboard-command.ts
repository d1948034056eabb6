// airank dashboard: the pages that people look at, as one file or live on this machine.
import { resolve } from 'node:path';
import { isRequestHost } from '../../config/addresses.ts';
import { ConfigError } from '../../core/errors.ts';
import { dayMs } from '../../core/run-date.ts';
import type { Language } from '../../reporting/dashboard/charts/chart.ts';
import { readAssets } from '../../reporting/dashboard/document/html-document.ts';
import { isDay } from '../../reporting/dashboard/page/page-state.ts';
import { chooseScope, readShownScopes } from '../../reporting/dashboard/read/read-overview.ts';
import { clientLinkToken, readLinkSecret } from '../../reporting/dashboard/serve/links.ts';
import type { Terminal } from '../context.ts';
import { defineCommand, numberFlag } from '../define-command.ts';
import { checkOutputFile } from '../terminal.ts';
import { demoFlag, withReader } from '../use-warehouse.ts';
import { serveDashboard, writeDashboard } from './dashboard-page.ts';

/** Flags of airank dashboard, checked all at once. */
const usualDashboardPort = 9465;

interface DashboardFlags {
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

type DashboardWish =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'serve'; readonly port: number };

/** @throws ConfigError with every fault */
function readDashboardFlags(flags: DashboardFlags, { cwd }: Terminal): DashboardWish {
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

/** airank dashboard link: a link that shows one client, and nothing of the others nor of the account. */
const linkCommand = defineCommand({
  about: 'print a link that shows one client only',
  args: [['<client>', 'identifier, key (account/id) or name']],
  flags: {
    '--days <number>': { about: 'how long it opens', default: '30' },
    '--url <address>': 'where readers reach the server (default: this machine)',
    '--port <number>': `where it listens on this machine (default: ${usualDashboardPort})`,
    '--with-notes': 'also the notes of airank note, yours alone otherwise',
    ...demoFlag,
    '--json': 'print the link and until when it opens as JSON on stdout',
  },
  help: `
It opens as long as airank dashboard --serve runs with the same secret: that of
AIRANK_DASHBOARD_SECRET, or else of a file in AIRANK_DATA_DIR. A link cannot be
taken back before it ends, except by another secret, which ends all of them.

Examples:
  $ airank dashboard link 7
  $ airank dashboard link 7 --port 8080
  $ airank dashboard link "Bodega Luna" --url https://visibility.example.com`,
  async run({ terminal, flags }, given) {
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
  },
});

function baseOf(
  { url, port }: { readonly url?: string; readonly port?: string },
  faults: string[],
): URL | undefined {
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
function linkTo(base: URL, token: string): string {
  const folder = base.href.endsWith('/') ? base.href : `${base.href}/`;
  return `${folder}#token=${token}`;
}

export const command = defineCommand({
  about: 'the pages to look at: as one HTML file, or live on this machine',
  flags: {
    '--output <file>': 'write this file, whole or not at all; it needs no network',
    '--client <id>': 'only the pages of this client, and nothing of the account',
    '--with-notes': 'with --client: also the notes of airank note, which are yours alone otherwise',
    '--from <date>': 'first date (default: all there is of one client, 90 days of several)',
    '--to <date>': 'last date',
    '--serve': 'show it live, and print the link that opens it',
    '--port <number>': `where to listen; 0 takes a free port (default: ${usualDashboardPort})`,
    '--host <address>': { about: 'where to listen; 0.0.0.0: everywhere', default: '127.0.0.1' },
    '--allow-host <name>': {
      about:
        'answer requests for this name too, as a proxy passes them on; may be repeated, beside AIRANK_DASHBOARD_HOSTS',
      repeats: true,
    },
    '--language <language>': { about: 'default: AIRANK_LANGUAGE', choices: ['en', 'es'] },
    ...demoFlag,
  },
  help: `
A file holds its figures: whoever has it sees them. It asks no server anything.
Exit code 1: a chart could not be read; the file is written, and says so.
Live, nothing is shown without a link: the one that is printed, or one of a
single client by airank dashboard link.

Examples:
  $ airank dashboard --output portfolio.html
  $ airank dashboard --client 7 --output client.html --language es
  $ airank dashboard --serve
  $ airank dashboard --serve --host 0.0.0.0 --allow-host visibility.example.com
  $ airank dashboard link 7 --days 7`,
  async run({ terminal, flags }) {
    const wish = readDashboardFlags(flags, terminal);
    if (wish.kind === 'file') await checkOutputFile(wish.file, flags.output);
    const assets = readAssets();
    const { language, host, allowHost, client, from, to, withNotes } = flags;
    const common = { assets, ...(language && { language }) };
    return await withReader(terminal, flags, { orDemo: wish.kind === 'serve' }, async (opened) => {
      if (wish.kind === 'serve') {
        const { port } = wish;
        await serveDashboard(terminal, opened, { ...common, host, port, allowedHosts: allowHost });
        return 0;
      }
      const chosen = {
        ...(client && { client }),
        ...(withNotes && { withNotes }),
        ...(from && { from }),
        ...(to && { to }),
      };
      const failed = await writeDashboard(terminal, opened, { ...common, ...chosen, file: wish.file });
      terminal.stdout.write(`${flags.output}\n`);
      return failed > 0 ? 1 : 0;
    });
  },
  commands: { link: linkCommand },
});
