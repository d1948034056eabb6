// The secrets in a configuration, which the logger must remove.

import { decoded, parseSmtpUrl } from './addresses.ts';
import type { Config, Secret } from './config.ts';
import { settings } from './settings.ts';
import type { ConfigFile } from './sources.ts';
import { namedVariables } from './unknown-names.ts';

/** Decodes a text; one that is not encoded stays as it is written. */
const plainOf = (text: string) => decoded(text) ?? text;

/** Returns the whole address and its password, which drivers put into other forms. */
export function secretsInDatabaseUrl(databaseUrl: Secret): string[] {
  const text = databaseUrl.reveal();
  if (!URL.canParse(text)) return [text];
  const { username, password, hostname, pathname, searchParams } = new URL(text);
  const open = [username, hostname, pathname.slice(1), 'postgres'].map(plainOf);
  // A password that is also the name of the user or database is no secret, and scrubbing it would remove that
  // word from every line. Inside an address it is still scrubbed.
  const passwords = [plainOf(password), searchParams.get('password') ?? ''];
  const hidden = passwords.filter((part) => part !== '' && !open.includes(part));
  return hidden.length > 0 ? [text, ...hidden] : [];
}

/** Returns the password of a proxy, in the forms in which it is sent. A proxy without one is no secret. */
function secretsInProxy(proxy: Secret): string[] {
  const { username, password } = new URL(proxy.reveal());
  if (username === '' && password === '') return [];
  const login = `${plainOf(username)}:${plainOf(password)}`;
  return [proxy.reveal(), plainOf(password), Buffer.from(login).toString('base64')];
}

/** Returns the whole address, and its path and query, which hold the secret. */
function secretsInWebhook(url: Secret): string[] {
  const text = url.reveal();
  const { pathname, search } = new URL(text);
  const path = `${pathname}${search}`;
  return path.length < 8 ? [text] : [text, path];
}

/** Returns the whole address, and its password as it is sent: plain, and in the two encodings of SMTP. */
export function secretsInSmtpUrl(url: Secret): string[] {
  const parsed = parseSmtpUrl(url.reveal());
  if (!parsed.ok || parsed.value.login === undefined) return [];
  const { user, password } = parsed.value.login;
  const plain = password.reveal();
  const base64 = [plain, `\0${user}\0${plain}`].map((text) => Buffer.from(text).toString('base64'));
  return [url.reveal(), plain, ...base64];
}

/** Variables whose value is a secret: none of them can stand in the file itself. */
export function secretVariables(file: ConfigFile | undefined): string[] {
  const own = [
    settings.apiKey,
    settings.databaseUrl,
    settings.readerUrl,
    settings.webhookUrl,
    settings.slackWebhookUrl,
    settings.smtpUrl,
    settings.metabaseKey,
    settings.httpsProxy,
  ];
  return [...own.map(({ env }) => env), ...namedVariables(file)];
}

/** Plain secrets for `createLogger` and `createScrubber`. */
export function secretsOf(config: Config): string[] {
  const keys = config.accounts.map((account) => account.apiKey.reveal());
  const webhooks = config.webhooks.flatMap(({ url }) => secretsInWebhook(url));
  const { key } = config.metabase;
  return [
    ...keys,
    ...(key === undefined ? [] : [key.reveal()]),
    ...webhooks,
    ...(config.http.proxy === undefined ? [] : secretsInProxy(config.http.proxy.url)),
    ...(config.smtp === undefined ? [] : secretsInSmtpUrl(config.smtp.url)),
    ...[config.databaseUrl, config.readerUrl].flatMap((url) =>
      url === undefined ? [] : secretsInDatabaseUrl(url),
    ),
  ];
}
