// An API key as text and from a file: what can be sent in a header, and nothing of it in a message.
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';

export type ApiKeyResult =
  | { readonly ok: true; readonly key: Secret }
  | { readonly ok: false; readonly expected: string; readonly hints: FaultHints };

function refused(expected: string, got: string, fix?: string): ApiKeyResult {
  return { ok: false, expected, hints: { got, ...(fix !== undefined && { fix }) } };
}

/** A key of visible latin-1 characters; anything else could not be sent as a header. */
export function parseApiKey(text: string): ApiKeyResult {
  const wanted = 'an API key on one line without blanks';
  if (text === '') return refused(wanted, 'an empty text');
  if (/^(bearer|basic)\s/i.test(text)) {
    return refused(
      wanted,
      'one that begins with "Bearer "',
      'Give the key alone; the header is built from it.',
    );
  }
  const bad = /[^\x21-\x7e\xa1-\xff]/u.exec(text);
  if (bad === null) return { ok: true, key: new Secret(text) };
  const code = bad[0].codePointAt(0) ?? 0;
  let what = 'a character that a header cannot carry';
  if (code === 0x20 || code === 0xa0) what = 'a blank';
  else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) what = 'a control character';
  return refused(wanted, `one with ${what} at position ${bad.index + 1}`, 'Copy the key again.');
}

/** What stands in a key file: one line, its trailing newline dropped. */
export function parseApiKeyFile(content: string): ApiKeyResult {
  const text = content.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  const wanted = 'a file that holds the API key on its only line';
  if (text.trim() === '') return refused(wanted, 'an empty file');
  if (/[\r\n]/.test(text)) return refused(wanted, `a file with ${text.split(/\r\n?|\n/).length} lines`);
  return parseApiKey(text);
}
