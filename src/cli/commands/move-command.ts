// airank move: the warehouse into another database, and this one closed.

import type pg from 'pg';
import { parseDatabaseUrl } from '../../config/addresses.ts';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import { packageVersion } from '../../core/files.ts';
import { createPool, expectAnswer, tlsFix } from '../../db/pool.ts';
import { reopenMoved } from '../../install/moved.ts';
import { watchParts } from '../../retention/backup/backup-parts.ts';
import { moveWarehouse } from '../../retention/backup/move-warehouse.ts';
import { refusePooling, streamNames } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { duration } from '../print/table.ts';
import { useWarehouse } from '../use-warehouse.ts';
import { contentsJson, contentsText, createBackupProgress } from './backup-verify.ts';
import { sayUnfinished } from './restore-command.ts';

/** The database that --to names. */
interface Target {
  readonly pool: pg.Pool;
  /** Host, port and database: what may be shown. */
  readonly name: string;
  readonly url: string;
}

/** @throws ConfigError when it is no address. The caller ends the pool */
function openTarget(text: string): Target {
  const parsed = parseDatabaseUrl(text);
  if (!parsed.ok) {
    const { got, fix } = parsed.hints;
    throw new ConfigError([
      `Expected --to to be postgres://user@host:port/database, got ${got ?? 'something else'}${fix === undefined ? '' : `. ${fix}`}`,
    ]);
  }
  const { hostname, port, pathname } = new URL(text);
  const name = `${hostname}:${port || '5432'}/${decodeURIComponent(pathname.slice(1))}`;
  return {
    pool: createPool({
      connectionString: text,
      max: 4,
      applicationName: 'airank-warehouse',
      prepares: false,
    }),
    name,
    url: text,
  };
}

/** @throws WarehouseError when it does not answer */
async function checkTarget({ pool, name, url }: Target): Promise<void> {
  await expectAnswer(pool).catch((error: unknown) => {
    throw new WarehouseError(
      `Cannot reach ${name}: ${messageOf(error)}. Nothing was changed. ${
        tlsFix(error, url, '--to') ?? 'Check --to, and that the database is there'
      }`,
      {},
      { cause: error },
    );
  });
}

export const command = defineCommand({
  about: 'copy into an empty database, compare both, close this one',
  flags: {
    '--to <url>': 'the other database, postgres://user@host:port/database',
    '--reopen': 'let syncs begin again in a warehouse that was moved',
    '--json': 'print what was moved as JSON on stdout',
  },
  help: `
Refused while a sync runs; none begins until it ends, and dashboards go on.
Then every row is read again at the other side, and only if all are the same
this warehouse is closed: it can be read, and sync and schedule refuse it. A
move that fails or is killed leaves it as it was.

A password in the address shows in everybody's ps: set PGPASSWORD instead.

Examples:
  $ airank move --to postgres://owner@db.example.com/warehouse
  $ airank move --reopen`,
  async run(call) {
    const { flags } = call;
    if ((flags.to === undefined) === (flags.reopen === undefined)) {
      throw new ConfigError([
        `Expected --to or --reopen, got ${flags.to === undefined ? 'neither' : 'both'}`,
      ]);
    }
    if (flags.to === undefined) await reopen(call);
    else await move(call, flags.to);
  },
});

async function move({ terminal, print }: Call, to: string): Promise<void> {
  const target = openTarget(to);
  const startedAt = Date.now();
  try {
    const options = { schema: 'leave', locks: true } as const;
    await useWarehouse(terminal, undefined, options, async ({ pool }, settings) => {
      await checkTarget(target);
      await refusePooling(target.pool);
      const progress = createBackupProgress(terminal.stderr, terminal.signal);
      const moved = await moveWarehouse({
        source: pool,
        target: target.pool,
        to: target.name,
        streams: streamNames(settings),
        airankVersion: packageVersion(),
        now: () => new Date(),
        watch: (parts) => watchParts(parts, progress.listen),
      }).finally(progress.stop);
      sayUnfinished(terminal, moved);
      const tookMs = Date.now() - startedAt;
      const { applied } = moved;
      const json = { to: target.name, ...contentsJson(moved), applied, took_ms: tookMs };
      const lines = [
        `Moved ${contentsText(moved)} to ${target.name}, in ${duration(tookMs)}: the same on both sides`,
        'This warehouse takes no sync any more. Set DATABASE_URL to the other one, start the scheduler there, and give ' +
          'roles their rights: airank grant-bi ROLE',
      ];
      print(json, lines);
    });
  } finally {
    await target.pool.end().catch(() => undefined);
  }
}

async function reopen({ terminal, print }: Call): Promise<void> {
  await useWarehouse(terminal, undefined, { schema: 'leave' }, async ({ db }) => {
    const moved = await reopenMoved(db);
    const json = { reopened: moved !== undefined, moved_to: moved?.to ?? null };
    const text =
      moved === undefined
        ? 'The warehouse is open; nothing was changed'
        : `The warehouse is open again. It was moved to ${moved.to}: see that no sync goes on there`;
    print(json, text);
  });
}
