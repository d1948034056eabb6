// Who sends and gets mails: `reports@example.com`, or `Example Agency <reports@example.com>`.

export interface MailAddress {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

/** One address alone, in letters that every server takes. Undefined: the text is none. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const [, name = '', inAngles, alone] = /^\s*(?:([^<>]*?)\s*<([^<>]*)>|([^<>]*?))\s*$/.exec(text) ?? [];
  const address = inAngles ?? alone ?? '';
  // No quoted local parts: what needs them is more often an attempt at something else.
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(address))
    return undefined;
  if (/[\p{Cc}\p{Surrogate}]/u.test(name) || name.length > 200) return undefined;
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address };
}
