// Tokens of links. One that shows everything is random and lives as long as the process; one that shows a single client
// is signed, says until when, and works after a restart as well.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, WarehouseError } from '../../../core/errors.ts';

/**
 * The secret that signs links: of the settings, or made once in a file that only its user reads.
 * @throws WarehouseError when the file can neither be read nor made
 */
export async function readLinkSecret(dataDir: string): Promise<string> {
  return await readSecretFile(
    join(dataDir, 'dashboard-secret'),
    'secret of links',
    'Set AIRANK_DASHBOARD_SECRET, or',
  );
}

/**
 * What is random, and made once. @param what it is, in a sentence @param fix how that sentence goes on
 * @throws WarehouseError when the file can neither be read nor made
 */
export async function readSecretFile(file: string, what: string, fix = 'Set'): Promise<string> {
  try {
    return (await read(file)) ?? (await make(file));
  } catch (error) {
    throw new WarehouseError(
      `The ${what} cannot be stored in ${file}: ${messageOf(error)}. ${fix} AIRANK_DATA_DIR to a folder that can be written`,
      {},
      { cause: error },
    );
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text.length >= 32 ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two that make it at once end with the same one: whoever links first wins. */
async function make(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const made = await read(file);
  if (made === undefined) throw new Error('it holds no secret of at least 32 characters');
  return made;
}

/** What a link shows. */
export type LinkGrant =
  | { readonly shows: 'all' }
  | { readonly shows: 'client'; readonly clientKey: string; readonly withNotes: boolean };

/** No other use of the secret signs the same text. */
const purpose = 'airank dashboard link 1\n';

interface ClientLink {
  readonly clientKey: string;
  /** Until when it opens. */
  readonly expiresAtMs: number;
  /** Shows the notes of the agency as well. */
  readonly withNotes?: boolean;
}

/** @param secret at least 32 characters */
export function clientLinkToken(secret: string, { clientKey, expiresAtMs, withNotes }: ClientLink): string {
  const said = [clientKey, Math.floor(expiresAtMs / 1000), ...(withNotes === true ? ['notes'] : [])];
  const body = Buffer.from(JSON.stringify(said)).toString('base64url');
  return `c.${body}.${signature(secret, body)}`;
}

export function randomToken(): string {
  return `a.${randomBytes(32).toString('base64url')}`;
}

interface TokenRules {
  readonly secret: string;
  /** Opens everything. */
  readonly ownToken: string;
  readonly nowMs: number;
}

/** Undefined: it opens nothing, was changed, or has expired. */
export function grantOf(
  token: string | undefined,
  { secret, ownToken, nowMs }: TokenRules,
): LinkGrant | undefined {
  if (token === undefined) return undefined;
  if (isSame(token, ownToken)) return { shows: 'all' };
  const [, body, signed] = /^c\.([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? [];
  if (body === undefined || signed === undefined || !isSame(signed, signature(secret, body)))
    return undefined;
  const said: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!Array.isArray(said)) return undefined;
  const [clientKey, expiresAtS, notes] = said as unknown[];
  if (typeof clientKey !== 'string' || typeof expiresAtS !== 'number' || nowMs >= expiresAtS * 1000)
    return undefined;
  return { shows: 'client', clientKey, withNotes: notes === 'notes' };
}

function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`${purpose}${body}`).digest('base64url');
}

/** Takes as long whatever is different. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
