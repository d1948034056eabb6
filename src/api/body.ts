// Reads a response body: decompressed, capped while it streams, decoded as UTF-8 without losing count of damage.
import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** The body is larger than the cap; its rest was not read. */
export class BodyTooLargeError extends Error {}

/** The server used a content coding nobody asked for. */
export class UnknownEncodingError extends Error {}

export interface BodyText {
  readonly text: string;
  /** Bytes after decompression. */
  readonly bytes: number;
  /** Invalid UTF-8 sequences, each replaced by U+FFFD. */
  readonly replacedBytes: number;
}

/** Reads `body` to its end. The cap counts decompressed bytes, so a small bomb cannot fill the memory. */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<BodyText> {
  const source = await decompressed(body, contentEncoding);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BodyTooLargeError(`body larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    source.destroy();
    body.destroy();
  }
  return { bytes, ...decodeUtf8(Buffer.concat(chunks, bytes)) };
}

/** Decodes UTF-8, strips one BOM, replaces invalid sequences by U+FFFD and counts them. */
function decodeUtf8(raw: Buffer): { readonly text: string; readonly replacedBytes: number } {
  const text = new TextDecoder('utf-8').decode(raw);
  if (isUtf8(raw)) return { text, replacedBytes: 0 };
  return { text, replacedBytes: count(text, '\ufffd') - countGenuine(raw) };
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** U+FFFD that the server itself sent. */
function countGenuine(raw: Buffer): number {
  const mark = Buffer.from('\ufffd');
  let found = 0;
  for (let at = raw.indexOf(mark); at !== -1; at = raw.indexOf(mark, at + mark.length)) found += 1;
  return found;
}

async function decompressed(body: Readable, contentEncoding: string | undefined): Promise<Readable> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let source = body;
  for (const coding of codings.reverse()) {
    const previous = source;
    const decoder = await decoderFor(coding, previous);
    // Errors travel down the pipe and surface where the last stream is read.
    source = pipeline(previous, decoder, () => {});
  }
  return source;
}

async function decoderFor(coding: string, source: Readable): Promise<Transform> {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return (await startsWithZlibHeader(source)) ? createInflate() : createInflateRaw();
    default:
      source.destroy();
      throw new UnknownEncodingError(`content encoding "${coding}"`);
  }
}

/** Some servers send raw deflate under the name of the zlib format; the first byte tells. */
async function startsWithZlibHeader(source: Readable): Promise<boolean> {
  const first = await new Promise<Buffer | null>((resolve, reject) => {
    source.once('error', reject);
    source.once('end', () => resolve(null));
    source.once('readable', () => resolve(source.read(1) as Buffer | null));
  });
  if (first === null) return true;
  source.unshift(first);
  return ((first[0] ?? 0) & 0x0f) === 8;
}
