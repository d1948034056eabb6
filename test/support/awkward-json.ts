// JSON as text, so that a test server can say what JavaScript cannot hold, beside the text that the
// warehouse is expected to keep of it.

/** A JSON value: as the server sends it, as jsonb keeps it, and how many values were replaced on the way. */
export interface Raw {
  /** U+E000 in it travels as the byte 0xFF, which is no UTF-8. */
  readonly sent: string;
  readonly stored: string;
  readonly replaced: number;
}

/** A literal that jsonb keeps as it is, or the literal that replaces it. */
export function raw(sent: string, stored = sent): Raw {
  return { sent, stored, replaced: sent === stored ? 0 : 1 };
}

export function json(value: unknown): Raw {
  return raw(JSON.stringify(value));
}

export type Field = readonly [key: string | Raw, value: Raw];

export function object(...fields: readonly Field[]): Raw {
  const pairs = fields.map(([key, value]) => ({ key: typeof key === 'string' ? json(key) : key, value }));
  return {
    sent: `{${pairs.map(({ key, value }) => `${key.sent}:${value.sent}`).join(',')}}`,
    stored: `{${pairs.map(({ key, value }) => `${key.stored}:${value.stored}`).join(',')}}`,
    replaced: pairs.reduce((sum, { key, value }) => sum + key.replaced + value.replaced, 0),
  };
}

export function list(items: readonly Raw[]): Raw {
  return {
    sent: `[${items.map((item) => item.sent).join(',')}]`,
    stored: `[${items.map((item) => item.stored).join(',')}]`,
    replaced: items.reduce((sum, item) => sum + item.replaced, 0),
  };
}

/** The bytes on the wire. */
export function wireBytes(sent: string): Buffer {
  const parts = sent.split('\ue000').map((part) => Buffer.from(part, 'utf8'));
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from([0xff]), part])));
}
