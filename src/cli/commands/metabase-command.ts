// airank metabase: brings the pages into a Metabase, or says what that would change.

import { metabaseUrl, proxyFor } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { faultText, parseAt } from '../../config/fault.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { applyMetabase, type BringOptions, type Brought } from '../../reporting/metabase/apply-metabase.ts';
import type { Change } from '../../reporting/metabase/metabase-http.ts';
import { readSettings } from '../context.ts';
import { defineCommand, numberFlag } from '../define-command.ts';
import { fold } from '../print/words.ts';

/** What airank metabase says: one line a change, and a sum with the addresses at the end. */
const marks = { create: '+', change: '~', left: '!' } as const;

/** Undefined: nothing to say of it. */
function changeLine({ kind, name, what, why }: Change, mode: 'plan' | 'apply'): string | undefined {
  if (what === 'same') return undefined;
  const reason = why === undefined ? '' : ` (${why})`;
  const fix =
    what === 'left' ? `. It stays; --overwrite ${mode === 'plan' ? 'would take' : 'takes'} it back` : '';
  return `${marks[what]} ${kind.padEnd(10)} ${name}${reason}${fix}`;
}

function endLines(changes: Brought['changes'], links: Brought['links'], mode: 'plan' | 'apply'): string[] {
  const countOf = (what: Change['what']) => changes.filter((change) => change.what === what).length;
  const [made, changed, left] = [countOf('create'), countOf('change'), countOf('left')];
  const same = plural(countOf('same'), 'other');
  if (made + changed + left === 0) return ['Everything is up to date.', ...linkLines(links)];
  const sum =
    mode === 'plan'
      ? `${made} to create, ${changed} to change, ${left} to leave as people changed them; ${same} up to date.`
      : `${made} created, ${changed} changed, ${left} left as people changed them; ${same} up to date.`;
  const next = mode === 'plan' && made + changed > 0 ? ['Do it: airank metabase apply'] : [];
  return ['', sum, ...next, ...linkLines(links)];
}

function linkLines(links: Brought['links']): string[] {
  return links.map(({ name, url }) => `${name}: ${url}`);
}

interface MetabaseFlags {
  readonly url?: string;
  readonly database: string;
  readonly overwrite?: true;
  readonly reconnect?: true;
  readonly waitSeconds: string;
  readonly json?: true;
}

const notes = `
The key comes from AIRANK_METABASE_KEY or AIRANK_METABASE_KEY_FILE, and is one
of the group Administrators. The warehouse is reached by
AIRANK_METABASE_DATABASE_URL, with the role and password of airank grant-bi;
both go to that Metabase alone.

What people make or change stays as it is. A question or dashboard of airank
that people changed is listed and left; --overwrite takes it back. Stopped half
way, run it again.

Examples:
  $ airank grant-bi metabase
  $ export AIRANK_METABASE_KEY=…
  $ export AIRANK_METABASE_DATABASE_URL=postgres://metabase:…@example.com/airank
  $ airank metabase plan --url https://metabase.example.com
  $ airank metabase apply --url https://metabase.example.com`;

function inMode(mode: 'plan' | 'apply', about: string) {
  return defineCommand({
    about,
    flags: {
      '--url <url>': 'address of the Metabase (default: AIRANK_METABASE_URL)',
      '--database <name>': {
        about: 'what the warehouse is called there, when it is made',
        default: 'AI Rank warehouse',
      },
      '--overwrite': 'take back what people changed of what airank made, also from the trash',
      '--reconnect': 'give Metabase the address and password of the warehouse again',
      '--wait-seconds <number>': { about: 'longest wait for Metabase to read the views', default: '300' },
      '--json': 'print every change as JSON on stdout',
    },
    help: notes,
    async run({ terminal, flags, print, width }) {
      const { config, scrub } = readSettings(terminal, { needAccounts: false });
      const { changes, links } = await applyMetabase({
        ...bringOptions(config, flags),
        apply: mode === 'apply',
        signal: terminal.signal,
        onChange: (change) => {
          const line = changeLine(change, mode);
          if (!flags.json && line !== undefined)
            terminal.stdout.write(`${fold(scrub(line), width, 13).join('\n')}\n`);
        },
      });
      print(
        { changes, links },
        endLines(changes, links, mode).flatMap((line) => fold(line, width)),
      );
    },
  });
}

export const command = defineCommand({
  about: 'bring six pages of charts into an open-source Metabase',
  help: notes,
  commands: {
    plan: inMode('plan', 'say what would change; touches nothing'),
    apply: inMode('apply', 'make database, types, questions and dashboards, or bring them up to date'),
  },
});

/** @throws ConfigError with every fault */
function bringOptions(
  { metabase, http }: Config,
  flags: MetabaseFlags,
): Omit<BringOptions, 'apply' | 'signal' | 'onChange'> {
  const faults: string[] = [];
  const source = { source: '--url', path: [] };
  const url = flags.url === undefined ? metabase.url : parseAt(metabaseUrl.schema, flags.url, source, faults);
  const waitSeconds = numberFlag('--wait-seconds', flags.waitSeconds, { min: 1, max: 86_400 }, faults);
  if (url === undefined && flags.url === undefined) {
    const expected = 'the address of a Metabase, such as https://metabase.example.com';
    faults.push(faultText({ place: '--url or AIRANK_METABASE_URL', expected, got: 'nothing' }));
  }
  if (metabase.key === undefined) {
    faults.push(
      faultText({
        place: 'AIRANK_METABASE_KEY or AIRANK_METABASE_KEY_FILE',
        expected: 'set to an API key of the Metabase, or to a file that holds it',
        got: 'nothing',
        fix: 'Make one under Admin settings, Authentication, API keys, in the group Administrators.',
      }),
    );
  }
  if (flags.database.trim() === '') faults.push('Expected --database to be a name, got an empty text');
  if (faults.length > 0 || url === undefined || metabase.key === undefined) throw new ConfigError(faults);
  return {
    url,
    key: metabase.key,
    proxy: proxyFor(url, http.proxy),
    overwrite: flags.overwrite === true,
    waitMs: (waitSeconds ?? 300) * 1_000,
    database: {
      name: flags.database,
      url: metabase.databaseUrl?.reveal(),
      reconnect: flags.reconnect === true,
    },
  };
}
