// Halves a chunk that the server found too large.
import { buildChunk } from './build-chunk.ts';
import { cutBody, headBytes } from './chunk-body.ts';
import type { LineCounts, LogChunk, SentLine } from './log-chunk.ts';

/** Both halves cover the bytes of the whole. Null for one line: there is nothing to cut. */
export function splitChunk(chunk: LogChunk): readonly [LogChunk, LogChunk] | null {
  const middle = Math.floor(chunk.sent.length / 2);
  const cut = chunk.sent[middle];
  if (cut === undefined || middle === 0) return null;
  const first = buildChunk({
    form: chunk.form,
    fromByte: chunk.fromByte,
    toByte: cut.fromByte,
    body: bodyOf(chunk, chunk.sent.slice(0, middle)),
    sent: chunk.sent.slice(0, middle),
    counts: cut.before,
  });
  const rest = chunk.sent.slice(middle);
  const movedBytes = cut.bodyFrom - headBytes(chunk.form);
  const second = buildChunk({
    form: chunk.form,
    fromByte: cut.fromByte,
    toByte: chunk.toByte,
    body: bodyOf(chunk, rest),
    sent: rest.map((line) => ({
      ...line,
      bodyFrom: line.bodyFrom - movedBytes,
      bodyTo: line.bodyTo - movedBytes,
      before: minus(line.before, cut.before),
    })),
    counts: minus(chunk.counts, cut.before),
  });
  return [first, second];
}

function bodyOf(chunk: LogChunk, lines: readonly SentLine[]): Buffer {
  return cutBody(chunk.form, chunk.body, lines[0]?.bodyFrom ?? 0, lines.at(-1)?.bodyTo ?? 0);
}

function minus(counts: LineCounts, before: LineCounts): LineCounts {
  return {
    read: counts.read - before.read,
    sent: counts.sent - before.sent,
    unreadable: counts.unreadable - before.unreadable,
    tooOld: counts.tooOld - before.tooOld,
    notBots: counts.notBots - before.notBots,
    nothing: counts.nothing - before.nothing,
  };
}
