// airank metabase: brings the pages into a Metabase.

import { databaseUrl, metabaseUrl, proxyFor } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { faultText, parseAt } from '../../config/fault.ts';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { applyMetabase, type BringOptions, type Brought } from '../../reporting/metabase/apply-metabase.ts';
import type { Change } from '../../reporting/metabase/metabase-http.ts';
import { readSettings } from '../context.ts';
import { defineCommand, type FlagsOf } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { show } from '../terminal.ts';

const marks = { create: '+', change: '~', left: '!' } as const;

/** Undefined: the object is as it should be. */
function changeLine({ kind, name, what, why }: Change): string | undefined {
  if (what === 'same') return undefined;
  const reason = why === undefined ? '' : ` (${why})`;
  const fix = what === 'left' ? '. Left as it is; --overwrite restores the shipped version' : '';
  return `${marks[what]} ${kind.padEnd(10)} ${name}${reason}${fix}`;
}

function endLines(changes: Brought['changes'], links: Brought['links']): string[] {
  const countOf = (what: Change['what']) => changes.filter((change) => change.what === what).length;
  const [made, changed, left] = [countOf('create'), countOf('change'), countOf('left')];
  if (made + changed + left === 0) return ['Everything is in place.', ...linkLines(links)];
  const sum = `${made} created, ${changed} changed, ${left} left as people changed them; ${plural(countOf('same'), 'other')} unchanged.`;
  return ['', sum, ...linkLines(links)];
}

function linkLines(links: Brought['links']): string[] {
  return links.map(({ name, url }) => `${name}: ${url}`);
}

const metabaseFlags = {
  '--url <url>': 'address of the Metabase (default: AIRANK_METABASE_URL)',
  '--warehouse-url <url>': 'the warehouse as that Metabase reaches it, by the role of grant-bi',
  '--database <name>': {
    about: 'name for the warehouse there, when it is created',
    default: 'AI Rank warehouse',
  },
  '--overwrite': 'restore questions and dashboards of airank as shipped, also from the trash',
  '--reconnect': 'give Metabase the address and password of the warehouse again',
  '--wait-seconds <number>': { about: 'longest wait for Metabase to read the views', default: '300' },
  '--json': 'print every change as JSON on stdout',
} as const;

const notes = `
The key comes from AIRANK_METABASE_KEY, and is one of the group Administrators.
--warehouse-url holds the role and password of airank grant-bi, and is needed
where the connection is made or changed. Both go to that Metabase alone.

What is missing is created; what exists stays as people changed it. --overwrite
restores all of airank's own as shipped, such as after an upgrade, and leaves
what people added to a dashboard. If it is stopped half way, run it again.

Examples:
  $ airank grant-bi metabase
  $ export AIRANK_METABASE_KEY=…
  $ airank metabase apply --url https://metabase.example.com \\
      --warehouse-url postgres://metabase:…@db.example.com/airank
  $ airank metabase apply --url https://metabase.example.com --overwrite`;

export const command = defineCommand({
  about: 'bring six pages of charts into an open-source Metabase',
  help: notes,
  commands: {
    apply: defineCommand({
      about: 'create missing database, types, questions and dashboards',
      flags: metabaseFlags,
      help: notes,
      async run({ terminal, flags, print }) {
        const { config, scrub } = readSettings(terminal, { needAccounts: false });
        const { changes, links } = await applyMetabase({
          ...bringOptions(config, flags),
          signal: terminal.signal,
          onChange: (change) => {
            const line = changeLine(change);
            if (!flags.json && line !== undefined) show(terminal, scrub(line));
          },
        });
        print({ changes, links }, endLines(changes, links));
      },
    }),
  },
});

/** @throws ConfigError with every fault */
function bringOptions(
  { metabase, http }: Config,
  flags: FlagsOf<typeof metabaseFlags>,
): Omit<BringOptions, 'signal' | 'onChange'> {
  const faults: string[] = [];
  const source = { source: '--url', path: [] };
  const url = flags.url === undefined ? metabase.url : parseAt(metabaseUrl.schema, flags.url, source, faults);
  const waitSeconds = numberFlag('--wait-seconds', flags.waitSeconds, { min: 1, max: 86_400 }, faults);
  if (url === undefined && flags.url === undefined) {
    const expected = 'the address of a Metabase, such as https://metabase.example.com';
    faults.push(faultText({ place: '--url or AIRANK_METABASE_URL', expected, got: 'nothing' }));
  }
  const warehouse =
    flags.warehouseUrl === undefined
      ? undefined
      : parseAt(databaseUrl.schema, flags.warehouseUrl, { source: '--warehouse-url', path: [] }, faults);
  if (metabase.key === undefined) {
    faults.push(
      faultText({
        place: 'AIRANK_METABASE_KEY',
        expected: 'set to an API key of the Metabase',
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
      url: warehouse?.reveal(),
      reconnect: flags.reconnect === true,
    },
  };
}
