// Remembers the names that an account had, so that none of them begins a second history unless somebody says so.
import { sql } from 'kysely';
import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { readAliases, renamedText } from '../../store/aliases.ts';

interface Names {
  readonly from: string;
  readonly to: string;
}

/** @throws ConfigError where the account has another name already, or the new one was another account's */
export async function refuseNamed(tx: Executor, { from, to }: Names): Promise<void> {
  const aliases = await readAliases(tx);
  const old = aliases.find(({ name }) => name === from);
  if (old !== undefined) {
    throw new ConfigError([
      `Expected <old> to be an account with data. ${renamedText(old)}: write ${old.to}`,
    ]);
  }
  const taken = aliases.find(({ name }) => name === to);
  if (taken !== undefined && taken.to !== from) {
    throw new ConfigError([
      `Expected <new> to be a name that no account had. ${renamedText(taken)}. ` +
        `If another one is to have it: airank rename account --release ${to}. Nothing was changed`,
    ]);
  }
}

/** All names that the account had are names of the new one. */
export async function noteRename(tx: Executor, { from, to }: Names): Promise<void> {
  await sql`
    with moved as (
      delete from sync.former_name where renamed_to = ${from} returning name, renamed_at, released_at
    )
    insert into sync.former_name (name, renamed_to, renamed_at, released_at)
    select name, ${to}, renamed_at, released_at from moved where name <> ${to}
    on conflict do nothing`.execute(tx);
  await sql`
    insert into sync.former_name (name, renamed_to) values (${from}, ${to})
    on conflict (name, renamed_to) do update set renamed_at = excluded.renamed_at, released_at = null`.execute(
    tx,
  );
}

/**
 * Another account may have the name from now on; what the renamed one is called now is returned. Clients that it forgot
 * stay blocked under this name too.
 * @throws ConfigError where no account was renamed from it
 */
export async function releaseName(db: Executor, name: string): Promise<string> {
  const aliases = await readAliases(db);
  const found = aliases.find((one) => one.name === name);
  if (found === undefined) {
    const names = aliases.map((one) => one.name);
    const hint = didYouMean(name, names) ?? `Such names: ${names.join(', ') || 'none'}.`;
    throw new ConfigError([
      `Expected <old> to be a name that an account had before it was renamed, got "${name}". ${hint}`,
    ]);
  }
  await sql`
    update sync.former_name set released_at = now() where name = ${name} and released_at is null`.execute(db);
  return found.to;
}
